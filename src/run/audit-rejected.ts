import { type AuditContext, entryOf, tryRecord } from '../audit/entries.ts';
import type { Rules } from '../model/ports.ts';
import type { Caller } from '../model/values/actor.ts';
import type { OnCallAnswer } from '../model/values/on-call.ts';
import { BellhopError, type ErrorCode } from '../model/values/errors.ts';
import { assertOwnWorkspace, DeniedError } from '../policy/denied.ts';
import type { ResolvedCommand } from '../command/resolve.ts';

/** The known parts of a command, for its audit entry. */
export interface AttemptedCommand {
  /** `/cloud` until the operation is known: `cloud.reboot`. Recorded only if the registry has it. */
  operation?: string | undefined;
  /** Once it is resolved. */
  command?: ResolvedCommand | undefined;
  /** The rule that denied it, if the error does not name it. */
  deniedBy?: string | undefined;
  /** The schedules' answers. */
  onCall?: readonly OnCallAnswer[] | undefined;
}

/** Error codes of commands that are rejected before authorization. */
const invalidCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'busy',
]);

/**
 * Refuses people of other workspaces, and records an audit entry if a command is denied or invalid. `work` fills in the attempt.
 * @throws the error of `work`; `store-unavailable` if a denial can't be recorded
 */
export async function auditRejected<T>(
  context: AuditContext & Pick<Rules, 'registry' | 'rulebook' | 'ownTeam'>,
  caller: Caller,
  operation: string | undefined,
  work: (attempt: AttemptedCommand) => T | Promise<T>,
): Promise<T> {
  const attempt: AttemptedCommand = { operation };
  try {
    assertOwnWorkspace(context, caller.actor);
    return await work(attempt);
  } catch (error) {
    const rule = error instanceof DeniedError ? error.rule : attempt.deniedBy;
    if (rule !== undefined) await recordDenied(context, caller, attempt, rule);
    else if (error instanceof BellhopError && invalidCodes.has(error.code)) {
      const { actor, place, correlationId } = caller;
      // Only the operation is kept, because the rest of the text may contain a secret.
      const about = { actor, place, correlationId, operation: known(context, attempt), note: error.code };
      await tryRecord(context, 'invalid', about);
    }
    throw error;
  }
}

/** Undefined for unknown words, which may be pasted secrets. */
function known({ registry }: Pick<Rules, 'registry'>, { operation }: AttemptedCommand): string | undefined {
  if (operation === undefined) return undefined;
  return registry.find(operation) || registry.areas.has(operation.slice(1)) ? operation : undefined;
}

async function recordDenied(
  context: AuditContext & Pick<Rules, 'registry'>,
  { actor, place, correlationId }: Caller,
  attempt: AttemptedCommand,
  rule: string,
): Promise<void> {
  const { command, onCall } = attempt;
  const operation = known(context, attempt);
  const about = { actor, place, correlationId, operation, input: command?.values, target: command?.target };
  await context.store.record([entryOf(context, 'denied', { ...about, decision: 'deny', rule, onCall })]);
}
