import { sameActor } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import { denialBy } from './policy.ts';
import type { Restriction, RuledChange } from './restrict.ts';
import type { Start, StartFilter } from '../model/records/requests.ts';
import { targetKey, labelled } from '../model/rulebook/target.ts';
import { type Limit, namesOperation } from '../model/rulebook/rulebook.ts';
import { counted } from '../text/words.ts';

export const byLimits: Restriction = {
  counts({ rulebook, clock }, ruled) {
    const change = limitedChange(ruled);
    const limiting = rulebook().limits.filter((limit) => appliesTo(limit, change));
    if (limiting.length === 0) return undefined;
    const now = clock.now();
    return {
      of: limiting.map((limit) => countedStarts(limit, change, now)),
      matters: (start) => limiting.some((limit) => countsAgainst(limit, change, start)),
    };
  },
  restrict({ rulebook, clock }, ruled, decision, started) {
    const about = [rulebook().limits, limitedChange(ruled), started, clock.now()] as const;
    const denial = limitReached(...about);
    return Promise.resolve(denial ? { decision: denial } : { decision, note: lastOfLimit(...about) });
  },
};

const limitedChange = ({ entry, target, requester }: RuledChange): LimitedChange => ({
  operation: entry.operation.name,
  target,
  requester,
});

type LimitedChange = Pick<Start, 'operation' | 'target' | 'requester'>;

const appliesTo = (limit: Limit, { operation, target }: LimitedChange): boolean =>
  (!limit.operations || limit.operations.some((pattern) => namesOperation(pattern, operation))) &&
  (!limit.labels || labelled(limit.labels, target));

/** This many extra rows are read, because unreadable rows are skipped. */
const spare = 50;

const countedStarts = (
  { per, atMost, withinMs, operations, labels }: Limit,
  { target, requester }: LimitedChange,
  now: number,
): StartFilter => ({
  since: now - withinMs,
  targetKey: per === 'target' ? targetKey(target) : undefined,
  requester: per === 'person' ? requester : undefined,
  operations,
  labels,
  limit: atMost + spare,
});

type CountedStart = LimitedChange & Pick<Start, 'startedAt'>;

function countsAgainst(limit: Limit, change: LimitedChange, start: CountedStart): boolean {
  if (!appliesTo(limit, start)) return false;
  switch (limit.per) {
    case 'target':
      return targetKey(start.target) === targetKey(change.target);
    case 'person':
      return sameActor(start.requester, change.requester);
    case 'all':
      return true;
  }
}

/** The denial by the first limit that is reached. @param started newest first, covering all limits */
export function limitReached(
  all: readonly Limit[],
  change: LimitedChange,
  started: readonly CountedStart[],
  now: number,
): Decision | undefined {
  for (const [index, limit] of all.entries()) {
    if (!appliesTo(limit, change)) continue;
    const last = countedBy(limit, change, started, now)[limit.atMost - 1];
    if (!last) continue;
    const until = last.startedAt + limit.withinMs;
    const { atMost, per, withinMs } = limit;
    const text = `Rate limit reached (limit ${index + 1}): at most ${counted(atMost, 'change')} ${whose[per]} in ${inWords(withinMs)}`;
    return { ...denialBy({ kind: 'limit', index, title: `limit ${index + 1}` }, text), until, passes: true };
  }
  return undefined;
}

function lastOfLimit(
  all: readonly Limit[],
  change: LimitedChange,
  started: readonly Start[],
  now: number,
): string | undefined {
  for (const [index, limit] of all.entries()) {
    const { atMost, per, withinMs } = limit;
    if (atMost === 1 || !appliesTo(limit, change)) continue;
    if (countedBy(limit, change, started, now).length !== atMost - 1) continue;
    return `Limit ${index + 1}: this is the last of ${atMost} changes allowed ${whose[per]} within ${inWords(withinMs)}.`;
  }
  return undefined;
}

const countedBy = (
  limit: Limit,
  change: LimitedChange,
  started: readonly CountedStart[],
  now: number,
): readonly CountedStart[] =>
  started.filter((start) => start.startedAt > now - limit.withinMs && countsAgainst(limit, change, start));

const whose = { target: 'per target', person: 'per person', all: 'in total' } as const;

/** For example `1h30m`, as in bellhop.yaml. */
function inWords(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith('0')).join('');
}
