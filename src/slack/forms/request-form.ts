import type { InputBlock, ModalView } from '@slack/types';

import type { Place } from '../../model/values/actor.ts';
import type { SlackContext } from '../messages/context.ts';
import { writeFormMetadata } from '../receive/payload-schemas.ts';
import type { Click } from '../receive/payloads.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { valueAction } from './form-input.ts';

export interface RequestForm {
  readonly form: string;
  readonly requestId: string;
  readonly place: Place;
  readonly title: string;
  readonly submit: string;
  readonly close?: string | undefined;
  readonly blocks: ModalView['blocks'];
}

export const renderRequestForm = ({
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

/** Opens the form. If the button is in a modal, the form opens on top of it. */
export const openRequestForm = (
  { api }: SlackContext,
  { body: { trigger_id: trigger, view } }: Click,
  form: RequestForm,
): Promise<void> => api.openView(trigger, renderRequestForm(form), view?.type === 'modal');

interface TextFieldOptions {
  readonly optional?: boolean | undefined;
  readonly focus?: boolean | undefined;
  /** The maximum length, in characters. */
  readonly longest?: number | undefined;
}

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
