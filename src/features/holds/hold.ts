import { z } from 'zod';

import { dueKind, type Lasting } from '../../model/records/due.ts';
import { lastingRecords } from '../../model/records/lasting.ts';
import { eachTarget, kindOf, labelled, type Target } from '../../model/rulebook/target.ts';
import { actor, place } from '../../model/values/actor.ts';
import type { TextPart } from '../../text/parts.ts';
import { someNames } from '../../text/words.ts';

/** In milliseconds. */
export const longestHold = 24 * 60 * 60_000;
export const maxNames = 10;

const selector = z.union([
  z.object({ name: z.string(), kinds: z.array(z.string()) }),
  z.object({ labels: z.record(z.string(), z.string()) }),
]);
export type Selector = Readonly<z.output<typeof selector>>;

const record = z.object({
  id: z.string(),
  by: actor,
  /** The holder's name, for texts that mention no one. */
  name: z.string(),
  place,
  selector,
  /** Only the first targets. `count` is the number of targets when the hold began. */
  names: z.array(z.string()),
  count: z.number(),
  reason: z.string(),
  /** Epoch milliseconds, like all times. */
  since: z.number(),
  until: z.number(),
  /** Set if the end can't be trusted. The hold then lasts longer. */
  uncertain: z.enum(['clock', 'restored']).optional(),
  ended: z
    .object({ how: z.enum(['released', 'replaced', 'time']), by: actor.optional(), at: z.number() })
    .optional(),
});

export const holdKind = dueKind('hold');

/** A hold is stored until its message shows that it ended, and for a minute after its end. */
export const records = lastingRecords(holdKind, record);
export const readHold = records.read;
export type Hold = ReturnType<typeof readHold>;

/** Oldest first. */
export const inForce = (all: readonly Lasting[]): readonly Hold[] =>
  all
    .map(readHold)
    .filter(({ ended }) => !ended)
    .toSorted((one, other) => one.since - other.since);

export const meets = (its: Selector, target: Target): boolean =>
  eachTarget(target).some((one) =>
    'labels' in its ? labelled(its.labels, one) : its.name === one.name && its.kinds.includes(kindOf(one)),
  );

/** For example `db-1`, or `env=production tier=db`. The same targets always have the same text. */
export const whatOf = ({ selector: its }: Pick<Hold, 'selector'>): string =>
  'labels' in its
    ? Object.entries(its.labels)
        .map(([label, value]) => `${label}=${value}`)
        .toSorted()
        .join(' ')
    : its.name;

export const targetsText = ({ names, count }: Hold): string => someNames(names, maxNames, count);

/** For example `db-1 is held by @bob until 15:03: failover drill`. */
export function heldBy(
  { by, name, until, uncertain, reason }: Hold,
  what: string,
  isHeld = 'is held',
): readonly TextPart[] {
  const end = uncertain === undefined ? [' until ', { at: until }] : [' (end not certain)'];
  return [`${what} ${isHeld} by `, { person: by.user, name }, ...end, `: ${reason}`];
}
