import { entryOf } from '../audit/entries.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { Press } from './click-types.ts';
import type { Request } from './request.ts';

/** Leaves an entry of a press that did nothing, and why. `request` is what it meant, as it is now. Never throws. */
export async function recordIgnored(
  environment: Environment,
  pressed: Press,
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
    await environment.store.record([entryOf(environment, 'ignored click', about)]);
  } catch (error) {
    environment.log.error(
      { err: error, requestId: pressed.requestId },
      'an ignored click could not be recorded',
    );
  }
}
