import type { Answer } from '../../core/command/run-command.ts';
import { usage } from '../../core/grammar/help.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { refusePrivately, type Recipient } from '../listeners/reply.ts';
import { renderForm } from './render-form.ts';
import { suggestedFields } from './suggested-fields.ts';
import type { Surface } from '../listeners/context.ts';

/** Opens the form of an operation with what was typed so far. Where Slack does not let it, says what to type. */
export async function openForm(
  surface: Surface,
  recipient: Recipient,
  triggerId: string | undefined,
  { entry, values, options, source }: Extract<Answer, { kind: 'form' }>,
): Promise<void> {
  const { asker, responseUrl } = recipient;
  try {
    if (triggerId === undefined) throw new Error('there is no trigger to open a form with');
    const plan = await surface.executor.plan(asker, entry, values);
    const view = renderForm({
      operation: entry.operation,
      fields: entry.fields,
      ...(plan === undefined ? {} : { plan }),
      suggested: suggestedFields(entry, surface.rulebook()),
      values,
      ...(source === undefined ? {} : { source }),
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      metadata: {
        operation: entry.operation.name,
        place: asker.place,
        ...(source === undefined ? {} : { source: source.id }),
        ...(options.breakGlass === undefined ? {} : { breakGlass: options.breakGlass }),
        ...(responseUrl === undefined ? {} : { responseUrl }),
      },
      notices: surface.notices,
    });
    await surface.api.openView(triggerId, view);
  } catch (error) {
    surface.log.warn({ err: error, correlationId: asker.correlationId }, 'a form could not be opened');
    const typed =
      entry.operation.formOnly === true ? 'Try again in a moment.' : `Type it whole: ${usage(entry)}`;
    await refusePrivately(
      surface,
      recipient,
      new BellhopError('bad-input', `The form could not be opened. ${typed}`),
    );
  }
}
