import { type AuditContext, entryOf, tryRecord } from '../audit/entries.ts';
import type { Rules } from '../model/ports.ts';
import type { Actor, Caller } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import type { SourceAnswer } from '../model/members.ts';
import { BellhopError, type ErrorCode } from '../model/values/errors.ts';
import { assertOwnWorkspace, DeniedError } from '../policy/denied.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import { plainPart } from '../text/parts.ts';

/** The limit for commands and clicks in progress on this replica. Beyond that, "busy, try again" is better than silence. */
const maxAtOnce = 200;
/** The limit per person, so that no one blocks everyone else. */
const maxOfOne = 20;

export interface CommandsInProgress {
  /** @throws BellhopError `busy` before the work starts */
  run<T>(actor: Actor, work: () => Promise<T>): Promise<T>;
}

export function createCommandsInProgress(): CommandsInProgress {
  const ofPerson = new Map<string, number>();
  let all = 0;
  return {
    async run(actor, work) {
      const person = `${actor.team}/${actor.user}`;
      const own = ofPerson.get(person) ?? 0;
      if (all >= maxAtOnce) throw busy('Bellhop is overloaded.');
      if (own >= maxOfOne) throw busy(`You already have ${own} commands in progress.`);
      all += 1;
      ofPerson.set(person, own + 1);
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (ofPerson.get(person) ?? 1) - 1;
        if (left === 0) ofPerson.delete(person);
        else ofPerson.set(person, left);
      }
    },
  };
}

const busy = (why: string): BellhopError =>
  new BellhopError('busy', `${why} Try again in a moment. Nothing was done.`, { retryable: true });

export interface AttemptedCommand {
  /** The area, such as `/cloud`, until the operation is known. Recorded only if the registry knows the area or operation. */
  operation?: string | undefined;
  command?: ResolvedCommand | undefined;
  /** The decision that denied the command, if the error does not name the rule. */
  deniedBy?: Pick<Decision, 'rule' | 'said'> | undefined;
  answers?: readonly SourceAnswer[] | undefined;
}

const invalidCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'busy',
]);

/**
 * Refuses people from other workspaces, and records an audit entry if a command is denied or invalid.
 * @param work fills in the attempt
 * @throws the error of `work`; `store-unavailable` if a denial can't be recorded
 */
export async function auditRejected<T>(
  context: AuditContext & Pick<Rules, 'registry' | 'rulebook' | 'ownTeam' | 'directory' | 'withheld'>,
  caller: Caller,
  operation: string | undefined,
  work: (attempt: AttemptedCommand) => T | Promise<T>,
): Promise<T> {
  const attempt: AttemptedCommand = { operation };
  try {
    await assertOwnWorkspace(context, caller.actor);
    return await work(attempt);
  } catch (error) {
    const by = error instanceof DeniedError ? error : attempt.deniedBy;
    if (by) await recordDenied(context, caller, attempt, by.rule);
    else if (error instanceof BellhopError && invalidCodes.has(error.code)) {
      const { actor, place, correlationId } = caller;
      // Only the operation is kept, because the rest of the text may contain a secret.
      const about = { actor, place, correlationId, operation: known(context, attempt), error: error.code };
      await tryRecord(context, 'invalid', about);
    }
    throw error;
  }
}

/** Returns undefined for unknown words, which may be pasted secrets. */
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
  const { command, answers, deniedBy } = attempt;
  const operation = known(context, attempt);
  const about = { actor, place, correlationId, operation, input: command?.values, target: command?.target };
  const note = deniedBy?.said?.map(plainPart).join('');
  await context.store.record([
    entryOf(context, 'denied', { ...about, decision: 'deny', rule, note, answers }),
  ]);
}
