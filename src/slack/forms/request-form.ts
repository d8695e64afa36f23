import type { InputBlock, ModalView } from '@slack/types';

import type { Caller, Place } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Click, SubmittedForm } from '../receive/payloads.ts';
import { callerOf, type SlackContext } from '../messages/context.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { enteredIn, valueAction, type AckForm } from './form-ids.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { writeFormMetadata } from '../receive/payload-schemas.ts';

interface RequestForm {
  /** The callback id. */
  readonly form: string;
  readonly requestId: string;
  /** Where it was opened. */
  readonly place: Place;
  readonly title: string;
  readonly submit: string;
  readonly close?: string | undefined;
  readonly blocks: ModalView['blocks'];
}

export const requestForm = ({
  form,
  requestId,
  place,
  title,
  submit,
  close = 'Back',
  blocks,
}: RequestForm): ModalView => ({
  type: 'modal',
  callback_id: form,
  private_metadata: writeFormMetadata({ requestId, place }),
  title: plain(title, limits.modalTitle),
  submit: plain(submit, limits.modalButton),
  close: plain(close, limits.modalButton),
  blocks,
});

/** Opens the form, on top of the modal if its button is in one. */
export async function openRequestForm(
  api: Pick<SlackApi, 'openView'>,
  { body: { trigger_id: trigger, view } }: Click,
  form: ModalView,
): Promise<void> {
  await api.openView(trigger, form, view?.type === 'modal');
}

interface TextFieldOptions {
  readonly optional?: boolean | undefined;
  readonly focus?: boolean | undefined;
  /** In characters. */
  readonly longest?: number | undefined;
}

/** A free-text field. */
export const textField = (
  block: string,
  label: string,
  { optional = false, focus = true, longest = limits.inputLength }: TextFieldOptions = {},
): InputBlock => ({
  type: 'input',
  block_id: block,
  optional,
  label: plain(label, limits.inputLabel),
  element: {
    type: 'plain_text_input',
    action_id: valueAction,
    focus_on_load: focus,
    max_length: longest,
  },
});

/** The request that a form is about, and the text in one of its fields; undefined for other forms. */
export function readText(
  { metadata, view }: SubmittedForm,
  block: string,
): { readonly requestId: string; readonly text: string } | undefined {
  if (metadata === undefined || !('requestId' in metadata)) return undefined;
  return { requestId: metadata.requestId, text: enteredIn(view, block)?.value ?? '' };
}

/** The field that shows an error, and the text for unexpected errors. */
interface FailedBeside {
  readonly block: string;
  readonly failed: string;
}

/** Closes the form once the work is done, or shows the error beside a field. */
export async function ackOutcome(
  context: SlackContext,
  form: SubmittedForm,
  ack: AckForm,
  { block, failed }: FailedBeside,
  work: (caller: Caller) => Promise<unknown>,
): Promise<void> {
  try {
    const caller = callerOf(context, form);
    await context.inProgress.run(caller.actor, () => work(caller));
    await ack({ response_action: 'clear' });
  } catch (error) {
    const message = error instanceof BellhopError ? error.message : failed;
    await ack({ response_action: 'errors', errors: { [block]: message.slice(0, 300) } });
  }
}
