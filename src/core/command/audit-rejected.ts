import type { Caller } from '../model/actor.ts';
import { entryOf } from '../audit/entries.ts';
import type { Context } from '../context.ts';
import { BellhopError, type ErrorCode } from '../model/errors.ts';

/** What an ask can come to before anything is decided or run. A denial has an entry of its own. */
const recorded: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'busy',
]);

/**
 * Leaves an entry of an ask that came to nothing. Of what was typed only the operation is kept: the rest may hold a
 * secret that does not belong there.
 */
export async function auditRejected<T>(
  context: Context,
  caller: Caller,
  operation: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BellhopError && recorded.has(error.code)) {
      await recordInvalid(context, caller, operation, error.code);
    }
    throw error;
  }
}

async function recordInvalid(
  context: Context,
  { actor, place, correlationId }: Caller,
  operation: string,
  note: ErrorCode,
): Promise<void> {
  try {
    const about = { actor, place, correlationId, operation, note };
    await context.store.record([entryOf(context, 'invalid', about)]);
  } catch (error) {
    context.log.error({ err: error, correlationId }, 'an ask that came to nothing could not be recorded');
  }
}
