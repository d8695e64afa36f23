import type { Asker } from '../model/actor.ts';
import { entryOf } from './entries.ts';
import type { Environment } from '../context.ts';
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
export async function recordedAsk<T>(
  environment: Environment,
  asker: Asker,
  operation: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BellhopError && recorded.has(error.code)) {
      await recordInvalid(environment, asker, operation, error.code);
    }
    throw error;
  }
}

async function recordInvalid(
  environment: Environment,
  { actor, place, correlationId }: Asker,
  operation: string,
  note: ErrorCode,
): Promise<void> {
  try {
    const about = { actor, place, correlationId, operation, note };
    await environment.store.record([entryOf(environment, 'invalid', about)]);
  } catch (error) {
    environment.log.error({ err: error, correlationId }, 'an ask that came to nothing could not be recorded');
  }
}
