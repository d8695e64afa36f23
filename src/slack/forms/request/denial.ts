import type { ModalView } from '@slack/types';

import type { Place } from '../../../model/actor.ts';
import { actionLabelOf } from '../../../command/grammar/registry.ts';
import type { Request } from '../../../model/request.ts';
import { actionLabel } from '../../cards/card-words.ts';
import { handleClick } from '../../../request/click.ts';
import type { SlackContext } from '../../messages/context.ts';
import type { Click, SubmittedForm } from '../../receive/payloads.ts';
import { section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { mention } from '../../render/text.ts';
import { openRequestForm, requestForm, submitText, textField } from './request-form.ts';
import type { AckForm } from '../form-ids.ts';

export const denialForm = 'denial';
const reasonBlock = 'reason';

/** Asks an approver why they deny a request. They may leave it empty. */
export async function openDenial(
  context: SlackContext,
  { body, place }: Click,
  request: Request,
): Promise<void> {
  await openRequestForm(context.api, body, denialView(context, request, place));
}

function denialView({ registry }: SlackContext, request: Request, place: Place): ModalView {
  const { id: requestId, operation, target, requester } = request;
  const verb = actionLabelOf(registry.find(operation), request);
  const what = `*${safeLine(actionLabel(verb, target), 300)}*, requested by ${mention(requester)}, will not run.`;
  const why = textField(reasonBlock, 'Why, for the requester', { optional: true, longest: 500 });
  return requestForm({
    form: denialForm,
    requestId,
    place,
    title: 'Deny',
    submit: 'Deny',
    blocks: [section(what), why],
  });
}

/** Denies the request, or says beside the field why not. */
export async function submitDenial(context: SlackContext, form: SubmittedForm, ack: AckForm): Promise<void> {
  const beside = { block: reasonBlock, failed: 'It could not be denied. Look at the card.' };
  await submitText(context, form, ack, beside, (caller, requestId, reason) =>
    handleClick(context, { ...caller, requestId, action: 'deny', denial: { reason } }),
  );
}
