import type { ModalView } from '@slack/types';

import { actionLabelOf } from '../../../command/grammar/registry.ts';
import type { Request } from '../../../model/request.ts';
import { handleClick } from '../../../request/click.ts';
import type { SlackContext } from '../../messages/context.ts';
import type { Click, SubmittedForm } from '../../receive/payloads.ts';
import { section } from '../../render/blocks.ts';
import { safeLine } from '../../render/escape.ts';
import { openRequestForm, requestForm, submitText, textField } from './request-form.ts';
import type { AckForm } from '../form-ids.ts';

export const typeNameForm = 'type-name';
const nameBlock = 'name';

/** Asks to type the target's name before a request is confirmed. */
export async function openTypeName(context: SlackContext, { body }: Click, request: Request): Promise<void> {
  await openRequestForm(context.api, body, typeNameView(context, request));
}

function typeNameView(context: SlackContext, request: Request): ModalView {
  const verb = actionLabelOf(context.registry.find(request.operation), request);
  return requestForm({
    form: typeNameForm,
    requestId: request.id,
    place: request.place,
    title: 'Type the name',
    submit: 'Run it',
    close: 'Cancel',
    blocks: [
      section(`Type *${safeLine(request.target.name, 200)}* to ${safeLine(verb, 100)} it.`),
      textField(nameBlock, 'Name'),
    ],
  });
}

/** The typed name confirms the request, or is told beside the field to be another. */
export async function submitTypeName(
  context: SlackContext,
  form: SubmittedForm,
  ack: AckForm,
): Promise<void> {
  const beside = { block: nameBlock, failed: 'It could not be confirmed. Look at the card.' };
  await submitText(context, form, ack, beside, (caller, requestId, typedName) =>
    handleClick(context, { ...caller, requestId, action: 'confirm', typedName }),
  );
}
