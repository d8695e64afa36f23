import { type Rules, within } from '../model/ports.ts';
import { listedTargets } from '../command/inventory.ts';
import { reachOf } from './reach.ts';
import { decidedBy } from './policy.ts';
import type { RestrictContext, Restriction, RuledChange } from './restrict.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Start, StartFilter } from '../model/records/requests.ts';
import { type Guard, isOffered, type Rulebook } from '../model/rulebook/rulebook.ts';
import { kindOf, targetKey, type Target, labelled } from '../model/rulebook/target.ts';

export const byGuards: Restriction = {
  counts(context, change) {
    const guarding = guardsOn(context, change);
    if (guarding.length === 0) return undefined;
    const now = context.clock.now();
    const key = targetKey(change.target);
    return {
      of: guarding.map((guard) => guardedStarts(guard, now)),
      matters: (start) =>
        guarding.some((guard) => labelled(guard.labels, start.target) && targetKey(start.target) !== key),
    };
  },
  async restrict(context, change, decision, started) {
    const { returned } = change;
    // If a member was seen healthy again since, its current state decides, and its change is ignored here.
    const away = returned ? started.filter(({ id }) => !returned.has(id)) : started;
    return { decision: await applyGuards(context, change, decision, away) };
  },
};

type GuardedChange = Pick<RuledChange, 'entry' | 'target'>;

export const guardsOn = (
  { rulebook }: Pick<Rules, 'rulebook'>,
  { entry: { operation }, target }: GuardedChange,
): readonly Guard[] =>
  operation.isRunning ? rulebook().guards.filter(({ labels }) => labelled(labels, target)) : [];

/** In milliseconds. After this time, a change to a guarded member is assumed to have ended. */
const guardedForMs = 15 * 60_000;
/**
 * If there are at least `counted` recent changes, Bellhop can't tell how many members are running. `read` is a bit higher, because
 * rows that can't be read are skipped.
 */
const maxStarts = { counted: 1000, read: 1050 } as const;

const guardedStarts = ({ labels }: Guard, now: number): StartFilter => ({
  since: now - guardedForMs,
  labels,
  limit: maxStarts.read,
});

/** Members that can't be read, or on which a change is running, do not count. If in doubt, an approval is required. */
async function applyGuards(
  context: RestrictContext,
  change: GuardedChange,
  decision: Decision,
  started: readonly Start[],
): Promise<Decision> {
  for (const [index, guard] of context.rulebook().guards.entries()) {
    if (!labelled(guard.labels, change.target)) continue;
    const left = await leftRunning(context, change, guard, started);
    if (left !== undefined && left >= guard.keep) continue;
    const labels = Object.entries(guard.labels).map(([label, value]) => `${label}=${value}`);
    const explanation = tooFew(change.target, labels.join(', '), left, guard.keep);
    const note = `${explanation}.`;
    // The rule has already decided who approves, and whether the approval is skipped. The note is for these people.
    if (decision.effect === 'approve' || decision.approvalSkipped) return { ...decision, note };
    return {
      ...decision,
      effect: 'approve',
      ...decidedBy({ kind: 'guard', index, title: guardTitle(index) }),
      explanation,
      note,
      approvers: guard.approvers,
      approvals: 1,
    };
  }
  return decision;
}

function tooFew(target: Target, group: string, left: number | undefined, keep: number): string {
  const [name, kind] = [target.name, kindOf(target)];
  if (left === undefined)
    return `Bellhop can't tell how many other ${group} ${kind}s are running, and ${keep} must stay up`;
  if (left === 0) return `${name} is the last ${group} ${kind} known to be running, and ${keep} must stay up`;
  return `Without ${name}, only ${left} of the ${keep} ${group} ${kind}s that must stay up ${left === 1 ? 'is' : 'are'} known to be running`;
}

/** In milliseconds. A stop or reboot may be queued for this long before the instance's state shows it. */
const queuedForMs = 5 * 60_000;
/** In milliseconds. Someone is waiting, so members that are not read in this time do not count. */
const readForMs = 2000;
const readAtOnce = 20;

/** Up to the number that the guard needs. Undefined if unknown. */
async function leftRunning(
  context: RestrictContext,
  { entry, target }: GuardedChange,
  guard: Guard,
  started: readonly Start[],
): Promise<number | undefined> {
  const { operation } = entry;
  if (!isOffered(context.rulebook(), operation.looksWith) || tooMany(context, started)) return undefined;
  const away = new Set(started.filter((start) => takesAway(context, start)).map(keyOf));
  const others = members(context.rulebook(), guard, kindOf(target)).filter(
    (other) => targetKey(other) !== targetKey(target) && !away.has(targetKey(other)),
  );
  const correlationId = context.ids.correlation();
  // A member that can't be read does not count as running.
  const runs = async (other: Target, signal: AbortSignal): Promise<boolean> =>
    (await operation.isRunning?.(other, reachOf(context, entry, { correlationId, target: other, signal }))) ??
    false;
  const unread = others.values();
  let running = 0;
  const readOn = async (signal: AbortSignal): Promise<void> => {
    for (const other of unread) {
      if (signal.aborted || running >= guard.keep) return;
      if (await runs(other, signal).catch(() => false)) running += 1;
    }
  };
  await within(context.clock, readForMs, (signal) =>
    Promise.all(Array.from({ length: Math.min(readAtOnce, others.length) }, () => readOn(signal))),
  );
  return running;
}

/** Only the newest changes were read, so a change that stopped a member may be missing. */
const tooMany = ({ clock }: RestrictContext, started: readonly Start[]): boolean =>
  started.filter(({ startedAt }) => startedAt >= clock.now() - guardedForMs).length >= maxStarts.counted;

const keyOf = ({ target }: Start): string => targetKey(target);

/**
 * Whether a change may have stopped its target. A failed change had no effect, unless only a person
 * reported the failure. A change in state `succeeded` may only have been accepted by the service so far.
 */
function takesAway(
  { registry, clock }: Pick<Rules, 'registry' | 'clock'>,
  { state, operation, startedAt, settled }: Start,
): boolean {
  if (state === 'running' || state === 'unknown') return true;
  const byWord = settled?.settledByHand !== undefined && settled.search?.suggests !== 'failed';
  const known = registry.find(operation);
  // The operation has since been removed. Assume that it stopped the member.
  const stops = known === undefined || known.operation.isRunning !== undefined;
  return stops && (state !== 'failed' || byWord) && startedAt > clock.now() - queuedForMs;
}

const members = ({ inventory }: Rulebook, { labels }: Guard, kind: string): readonly Target[] =>
  listedTargets(inventory, [kind]).filter((member) => labelled(labels, member));

export const guardTitle = (index: number): string => `guard ${index + 1}`;
