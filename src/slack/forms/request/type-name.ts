import type { ModalView } from '@slack/types';
import { z } from 'zod';

import { BellhopError } from '../../../core/model/errors.ts';
import { actionLabelOf } from '../../../core/registry.ts';
import type { Request } from '../../../core/request/request.ts';
import { plain, section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { writeFormMetadata } from '../form-metadata.ts';
import { valueAction } from '../form-ids.ts';
import { limits } from '../../render/limits.ts';
import type { FormPayload } from '../../receive/payloads.ts';
import { callerOf, type SlackContext } from '../../listeners/context.ts';

/** The answer to a submitted form: nothing closes it. */
export type AckForm = (
  answer?:
    | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
    | { readonly response_action: 'update'; readonly view: ModalView },
) => Promise<void>;

const typeNameForm = 'type-name';
const nameBlock = 'name';

/** Asks to type the target's name before a request is confirmed. */
export async function openTypeName(
  context: SlackContext,
  triggerId: string | undefined,
  request: Request,
): Promise<void> {
  if (triggerId !== undefined) await context.api.openView(triggerId, typeNameView(context, request));
}

function typeNameView(context: SlackContext, request: Request): ModalView {
  const verb = actionLabelOf(context.bellhop.registry.find(request.operation), request);
  const { name } = request.target;
  return {
    type: 'modal',
    callback_id: typeNameForm,
    private_metadata: writeFormMetadata({ requestId: request.id, place: request.place }),
    title: plain('Type the name', limits.modalTitle),
    submit: plain('Run it', limits.modalButton),
    close: plain('Cancel', limits.modalButton),
    blocks: [
      section(`Type *${safeLine(name, 200)}* to ${safeLine(verb, 100)} it.`),
      {
        type: 'input',
        block_id: nameBlock,
        label: plain('Name', limits.inputLabel),
        element: { type: 'plain_text_input', action_id: valueAction, focus_on_load: true },
      },
    ],
  };
}

const typed = z.object({
  [nameBlock]: z.object({ [valueAction]: z.object({ value: z.string().nullish() }) }),
});

/** The typed name confirms the request, or is told beside the field to be another. */
export async function onTypeName(context: SlackContext, payload: FormPayload, ack: AckForm): Promise<void> {
  const { metadata } = payload;
  const { view } = payload.body;
  const name = typed.safeParse(view.state?.values);
  if (view.callback_id !== typeNameForm || !metadata || !('requestId' in metadata) || !name.success)
    return await ack();
  const { actor, place: at, correlationId } = callerOf(context, payload);
  try {
    await context.bellhop.click({
      requestId: metadata.requestId,
      action: 'confirm',
      actor,
      place: at,
      correlationId,
      typedName: name.data[nameBlock][valueAction].value ?? '',
    });
    await ack();
  } catch (error) {
    const message =
      error instanceof BellhopError ? error.message : 'It could not be confirmed. Look at the card.';
    await ack({ response_action: 'errors', errors: { [nameBlock]: message.slice(0, 300) } });
  }
}
