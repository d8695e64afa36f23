import { z } from 'zod';

import { canonical } from '../../model/records/audit.ts';
import { dueKind, type Lasting } from '../../model/records/due.ts';
import { eachTarget, kindOf, labelled, type Target } from '../../model/rulebook/target.ts';
import { actor, place } from '../../model/values/actor.ts';
import type { TextPart } from '../../text/parts.ts';
import { someNames } from '../../text/words.ts';

/** Each hold is due work of this kind, from its beginning until its message shows its end. */
export const holdKind = dueKind('hold');

/** In milliseconds. */
export const longestHold = 24 * 60 * 60_000;
export const maxNames = 10;

const targetRef = z.object({ kind: z.string().optional(), name: z.string() });
const selector = z.union([
  z.object({ targets: z.array(targetRef) }),
  z.object({ labels: z.record(z.string(), z.string()) }),
]);
export type Selector = Readonly<z.output<typeof selector>>;

const hold = z.object({
  id: z.string(),
  by: actor,
  /** The holder's name, for texts that mention no one. */
  name: z.string(),
  place,
  selector,
  /** The first names, and the number of targets when the hold began. */
  names: z.array(z.string()),
  count: z.number(),
  reason: z.string(),
  /** Epoch milliseconds, like all times. */
  since: z.number(),
  until: z.number(),
  /** Set if the end can't be trusted, so that the hold stays longer. */
  uncertain: z.enum(['clock', 'restored']).optional(),
  ended: z
    .object({ how: z.enum(['released', 'replaced', 'time']), by: actor.optional(), at: z.number() })
    .optional(),
});
export type Hold = Readonly<z.output<typeof hold>>;

export interface KeptHold extends Hold {
  readonly version: number;
}

/** @throws ZodError for a hold of a newer version, so that no change starts */
export const readHold = ({ about }: Pick<Lasting, 'about'>): Hold => hold.parse(about);

/** The holds that are in force. */
export const inForce = (all: readonly Lasting[]): readonly KeptHold[] =>
  all
    .map((row) => ({ ...readHold(row), version: row.version }))
    .filter(({ ended }) => !ended)
    .toSorted((one, other) => one.since - other.since);

export const meets = (its: Selector, target: Target): boolean =>
  eachTarget(target).some((one) =>
    'labels' in its
      ? labelled(its.labels, one)
      : its.targets.some(({ kind, name }) => (kind ?? kindOf(one)) === kindOf(one) && name === one.name),
  );

export const sameSelector = (one: Selector, other: Selector): boolean => canonical(one) === canonical(other);

/** For example `db-1`, or `env=production tier=db`. */
export const selectorText = (its: Selector): string =>
  'labels' in its
    ? Object.entries(its.labels)
        .map(([label, value]) => `${label}=${value}`)
        .join(' ')
    : (its.targets[0]?.name ?? '');

export const targetsText = ({ names, count }: Pick<Hold, 'names' | 'count'>): string =>
  someNames(names, maxNames, count);

/** Why a target is not changed. For example `db-1 is held by @bob until 15:03: failover drill`. */
export function heldBy({ by, until, uncertain, reason }: Hold, name: string): readonly TextPart[] {
  const end = uncertain === undefined ? [' until ', { at: until }] : [' (end not certain)'];
  return [`${name} is held by `, { person: by.user }, ...end, `: ${reason}`];
}

/** The same as plain text. */
export function heldByText({ name: holder, until, uncertain, reason }: Hold, name: string): string {
  const end =
    uncertain === undefined
      ? ` until ${new Date(until).toISOString().slice(11, 16)} UTC`
      : ' (end not certain)';
  return `${name} is held by ${holder}${end}: ${reason}`;
}
