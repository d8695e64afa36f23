import type { Target } from './rulebook/target.ts';
import type { Caller } from './values/actor.ts';
import type { ReportParts } from './values/report.ts';

/** A command that takes effect at once. */
export interface ActCommand {
  readonly caller: Caller;
  /** As entered. They fit the operation's input. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly target: Target;
  /**
   * Rejects if the rules do not allow the caller this operation on the target, in this place.
   * @param operation default: that of the command
   * @throws DeniedError
   */
  readonly assertAllowed: (target: Target, operation?: string) => Promise<void>;
}

/** Does a command, writes its audit entries, and resolves to the answer. @throws BellhopError */
export type Act = (command: ActCommand) => Promise<ReportParts>;

/** The acts of features, by the operation's name. */
export type Acts = Readonly<Record<string, Act>>;
