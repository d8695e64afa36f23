import { entryOf } from '../audit/entries.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { ButtonClick } from './click-types.ts';
import type { Request } from './request.ts';

/** Leaves an entry of a press that did nothing, and why. `request` is what it meant, as it is now. Never throws. */
export async function auditIgnoredClick(
  context: Context,
  pressed: ButtonClick,
  request: Request | undefined,
  reason: unknown,
): Promise<void> {
  const note = reason instanceof BellhopError ? reason.message : 'unexpected';
  const about = {
    actor: pressed.actor,
    place: pressed.place,
    requestId: pressed.requestId.slice(0, 64),
    correlationId: pressed.correlationId,
    note: `${pressed.action}: ${note}`,
    ...(request === undefined
      ? {}
      : { operation: request.operation, target: request.target, outcome: request.state }),
  };
  try {
    await context.store.record([entryOf(context, 'ignored click', about)]);
  } catch (error) {
    context.log.error({ err: error, requestId: pressed.requestId }, 'an ignored click could not be recorded');
  }
}
