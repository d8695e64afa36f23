import type { CommandResult } from '../../core/command/run-command.ts';
import type { Caller } from '../../core/model/actor.ts';
import { usage } from '../../core/grammar/help.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { renderForm } from './render-form.ts';
import { suggestedFields } from './suggested-fields.ts';
import type { SlackContext } from '../listeners/context.ts';

/**
 * Opens the form of an operation with what was typed so far. `responseUrl`: where its answer will go.
 * @throws BellhopError that says what to type instead, where Slack does not open it
 */
export async function openForm(
  context: SlackContext,
  caller: Caller,
  responseUrl: string | undefined,
  triggerId: string | undefined,
  { entry, values, options, source }: Extract<CommandResult, { kind: 'form' }>,
): Promise<void> {
  try {
    if (triggerId === undefined) throw new Error('there is no trigger to open a form with');
    const plan = await context.bellhop.plan(caller, entry, values);
    const view = renderForm({
      operation: entry.operation,
      fields: entry.fields,
      ...(plan === undefined ? {} : { plan }),
      suggested: suggestedFields(entry, context.rulebook()),
      values,
      ...(source === undefined ? {} : { source }),
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      metadata: {
        operation: entry.operation.name,
        place: caller.place,
        ...(source === undefined ? {} : { source: source.id }),
        ...(options.breakGlass === undefined ? {} : { breakGlass: options.breakGlass }),
        ...(responseUrl === undefined ? {} : { responseUrl }),
      },
      notices: context.notices,
    });
    await context.api.openView(triggerId, view);
  } catch (error) {
    context.log.warn({ err: error, correlationId: caller.correlationId }, 'a form could not be opened');
    const typed =
      entry.operation.formOnly === true ? 'Try again in a moment.' : `Type it whole: ${usage(entry)}`;
    throw new BellhopError('bad-input', `The form could not be opened. ${typed}`, { cause: error });
  }
}
