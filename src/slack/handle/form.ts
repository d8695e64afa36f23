import type { BlockSuggestion, ViewOutput } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';

import { fieldOfBlock } from '../forms/form-rows.ts';
import { formAgain } from '../forms/open-form.ts';
import { formErrors, parseForm } from '../forms/parse-form.ts';
import { operationMetadata } from '../forms/render-form.ts';
import { faultsOf } from '../../run/forms.ts';
import { submitForm } from '../../run/run-command.ts';
import type { ReceivedContext, SubmittedForm } from '../receive/dispatch.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';
import { answerCommand } from './command.ts';
import { completionsFor } from '../../run/completions.ts';
import { plain } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';

/** Recorded in the inbox only once its fields are valid, because a form with errors may be submitted again. */
export async function runForm(context: SlackContext, { view, ack, ...form }: SubmittedForm): Promise<void> {
  const { caller, responseUrl, accept } = form.context;
  const metadata = operationMetadata.read(view);
  const entry = metadata && context.registry.find(metadata.operation);
  if (!entry) return await ack();
  const entered = parseForm(view.state, entry.fields);
  const { values, reason, rows } = entered;
  const faults = await faultsOf(context, entry, values);
  if (faults.some(({ field }) => field !== '' && !isShown(view, field))) {
    // Submitted before it was redrawn, so the form does not show the missing field yet.
    const again = { view, metadata, entry, entered, errors: faults };
    return await ack({ response_action: 'update', view: await formAgain(context, caller, again) });
  }
  if (faults.length > 0) {
    const errors = formErrors(faults, inputBlocks(view), rows);
    return await ack({ response_action: 'errors', errors });
  }
  const { first } = await accept();
  await ack();
  if (!first) return undefined;
  const { operation, ofCommand, opensThread } = metadata;
  const recipient: Recipient = { caller, responseUrl, ofCommand, opensThread };
  const options = { reason, breakGlass: metadata.breakGlass };
  return answerCommand(context, recipient, {
    run: (as) => submitForm(context, as, operation, values, options),
  });
}

const isShown = ({ blocks }: ViewOutput, field: string): boolean =>
  blocks.some(({ block_id: id = '' }) => fieldOfBlock(id) === field);

const inputBlocks = ({ blocks }: ViewOutput): readonly string[] =>
  blocks.flatMap(({ type, block_id }) => (type === 'input' && block_id !== undefined ? [block_id] : []));

/** None for people who may not run the operation here. */
export async function suggest(
  context: SlackContext,
  { block_id: field, value: typed, view }: BlockSuggestion,
  { caller }: ReceivedContext,
): Promise<PlainTextOption[]> {
  const metadata = operationMetadata.read(view);
  const entry = metadata && context.registry.find(metadata.operation);
  if (!entry) return [];
  try {
    const suggestions = await completionsFor(context, caller, entry, field, typed);
    return suggestions.map(({ name, title = name, about }) => ({
      text: plain(about === '' ? title : `${title} · ${about}`, limits.optionText),
      value: name.slice(0, limits.optionValue),
    }));
  } catch (error) {
    context.log.info({ err: error, user: caller.actor.user }, 'no suggestions');
    return [];
  }
}
