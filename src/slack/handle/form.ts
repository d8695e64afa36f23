import type { BlockSuggestion, ViewOutput } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';

import { fieldOfBlock } from '../forms/form-rows.ts';
import { formAgain } from '../forms/open-form.ts';
import { type AckForm, formErrors, parseForm } from '../forms/parse-form.ts';
import { operationForm } from '../forms/render-form.ts';
import { breakGlassForm, readBreakGlass, submitRequestForm } from '../forms/request-forms.ts';
import { breakGlass } from '../../run/break-glass.ts';
import { faultsOf } from '../../run/forms.ts';
import { submitForm } from '../../run/run-command.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import { callerOf, type Sender, type SubmittedForm } from '../receive/payloads.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';
import { answerCommand } from './command.ts';
import { runOnThisForm, submitRunOnThis } from './run-on-this.ts';
import { completionsFor } from '../../run/completions.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';

/** Handles a submitted form. Slack waits for the answer, which closes the form or shows errors next to its fields. */
export async function handleForm(
  context: SlackContext,
  form: SubmittedForm,
  accept: () => Promise<AcceptedDelivery>,
  ack: AckForm,
): Promise<void> {
  switch (form.view.callback_id) {
    case operationForm:
      return runForm(context, form, accept, ack);
    case runOnThisForm:
      return submitRunOnThis(context, form, ack);
    case breakGlassForm:
      return runBreakGlass(context, form, accept, ack);
    default:
      return submitRequestForm(context, form, ack);
  }
}

async function runBreakGlass(
  context: SlackContext,
  form: SubmittedForm,
  accept: () => Promise<AcceptedDelivery>,
  ack: AckForm,
): Promise<void> {
  const about = readBreakGlass(form);
  const accepted = await accept();
  await ack({ response_action: 'clear' });
  if (!about || !accepted.first) return;
  const recipient = { caller: callerOf(context, form, accepted), responseUrl: form.responseUrl };
  await answerCommand(context, recipient, {
    run: (as) => breakGlass(context, as, about.requestId, about.text),
  });
}

/**
 * Runs the form of an operation. The form is recorded in the inbox only once its fields are valid, because a form with errors may
 * be submitted again.
 */
async function runForm(
  context: SlackContext,
  form: SubmittedForm,
  accept: () => Promise<AcceptedDelivery>,
  ack: AckForm,
): Promise<void> {
  const { metadata, responseUrl, view } = form;
  if (metadata === undefined || !('operation' in metadata)) return await ack();
  const entry = context.registry.find(metadata.operation);
  if (!entry) return await ack();
  const entered = parseForm(view.state, entry.fields);
  const { values, reason, rows } = entered;
  const faults = await faultsOf(context, entry, values);
  if (faults.some(({ field }) => field !== '' && !isShown(view, field))) {
    // The form was submitted before it was redrawn, so the missing field is not shown yet.
    const again = { view, metadata, entry, entered, errors: faults };
    const redrawn = await formAgain(context, callerOf(context, form), again);
    return await ack({ response_action: 'update', view: redrawn });
  }
  if (faults.length > 0) {
    const errors = formErrors(faults, inputBlocks(view), rows);
    return await ack({ response_action: 'errors', errors });
  }
  const accepted = await accept();
  await ack();
  if (!accepted.first) return undefined;
  const caller = callerOf(context, form, accepted);
  const { ofCommand, opensThread } = metadata;
  const recipient: Recipient = { caller, responseUrl, ofCommand, opensThread };
  const options = { reason, breakGlass: metadata.breakGlass };
  return answerCommand(context, recipient, {
    run: (as) => submitForm(context, as, metadata.operation, values, options),
  });
}

const isShown = ({ blocks }: ViewOutput, field: string): boolean =>
  blocks.some(({ block_id: id = '' }) => fieldOfBlock(id) === field);

const inputBlocks = ({ blocks }: ViewOutput): readonly string[] =>
  blocks.flatMap(({ type, block_id }) => (type === 'input' && block_id !== undefined ? [block_id] : []));

/** Suggestions for a select. People who may not run the operation in this place get none. */
export async function suggest(
  context: SlackContext,
  { block_id: field, value: typed }: BlockSuggestion,
  sender: Sender,
): Promise<PlainTextOption[]> {
  const { metadata } = sender;
  const entry = metadata && 'operation' in metadata ? context.registry.find(metadata.operation) : undefined;
  if (!entry) return [];
  try {
    const suggestions = await completionsFor(context, callerOf(context, sender), entry, field, typed);
    return suggestions.map(({ name, title = name, about }) => ({
      text: plain(about === '' ? title : `${title} · ${about}`, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    context.log.info({ err: error, user: sender.actor.user }, 'no suggestions');
    return [];
  }
}
