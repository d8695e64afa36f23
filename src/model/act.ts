import type { Target } from './rulebook/target.ts';
import type { Caller } from './values/actor.ts';

/** A command that takes effect at once. */
export interface ActCommand {
  readonly caller: Caller;
  readonly target: Target;
  /**
   * Rejects if the rules do not allow the caller the operation on the target here.
   * @param operation default: the operation of the command
   * @throws DeniedError
   */
  readonly assertAllowed: (target: Target, operation?: string) => Promise<void>;
}
