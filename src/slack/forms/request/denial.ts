import type { ModalView } from '@slack/types';
import { z } from 'zod';

import type { Place } from '../../../core/model/actor.ts';
import { BellhopError } from '../../../core/model/errors.ts';
import { actionLabelOf } from '../../../core/registry.ts';
import type { Request } from '../../../core/request/request.ts';
import { actionLabel } from '../../cards/card-words.ts';
import { callerOf, type SlackContext } from '../../listeners/context.ts';
import type { FormPayload } from '../../receive/payloads.ts';
import { plain, section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { limits } from '../../render/limits.ts';
import { mention } from '../../render/text.ts';
import { valueAction } from '../form-ids.ts';
import { writeFormMetadata } from '../form-metadata.ts';
import type { AckForm } from './type-name.ts';

export const denialForm = 'denial';
const reasonBlock = 'reason';

/** Asks an approver why they deny a request. They may leave it empty. */
export async function openDenial(
  context: SlackContext,
  triggerId: string | undefined,
  request: Request,
  at: Place,
): Promise<void> {
  if (triggerId !== undefined) await context.api.openView(triggerId, denialView(context, request, at));
}

function denialView({ bellhop }: SlackContext, request: Request, at: Place): ModalView {
  const { id, operation, target, requester } = request;
  const verb = actionLabelOf(bellhop.registry.find(operation), request);
  return {
    type: 'modal',
    callback_id: denialForm,
    private_metadata: writeFormMetadata({ requestId: id, place: at }),
    title: plain('Deny', limits.modalTitle),
    submit: plain('Deny', limits.modalButton),
    close: plain('Back', limits.modalButton),
    blocks: [
      section(
        `*${safeLine(actionLabel(verb, target), 300)}*, requested by ${mention(requester)}, will not run.`,
      ),
      {
        type: 'input',
        block_id: reasonBlock,
        optional: true,
        label: plain('Why, for the requester', limits.inputLabel),
        element: { type: 'plain_text_input', action_id: valueAction, focus_on_load: true, max_length: 500 },
      },
    ],
  };
}

const typed = z.object({
  [reasonBlock]: z.object({ [valueAction]: z.object({ value: z.string().nullish() }) }),
});

/** Denies the request, or says beside the field why not. */
export async function onDenial(context: SlackContext, payload: FormPayload, ack: AckForm): Promise<void> {
  const { metadata } = payload;
  const form = typed.safeParse(payload.body.view.state?.values);
  if (!metadata || !('requestId' in metadata) || !form.success) return await ack();
  const { actor, place, correlationId } = callerOf(context, payload);
  const reason = form.data[reasonBlock][valueAction].value ?? '';
  try {
    const { requestId } = metadata;
    const denial = { reason };
    await context.bellhop.click({ requestId, action: 'deny', actor, place, correlationId, denial });
    await ack();
  } catch (error) {
    const message =
      error instanceof BellhopError ? error.message : 'It could not be denied. Look at the card.';
    await ack({ response_action: 'errors', errors: { [reasonBlock]: message.slice(0, 300) } });
  }
}
