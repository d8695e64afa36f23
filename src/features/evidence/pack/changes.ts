import { z } from 'zod';

import { auditEntry, wholeOf } from '../../../model/records/audit.ts';
import type { Actor } from '../../../model/values/actor.ts';
import { namesOperation } from '../../../model/rulebook/rulebook.ts';
import { labelled } from '../../../model/rulebook/target.ts';

/** An entry as its leaf has it, with the hash of what was typed instead of the text. */
export const packEntry = auditEntry
  .omit({ seq: true, hash: true, reason: true, reasonRemoved: true })
  .extend({ number: z.int().min(1), reason: z.object({ sha256: z.string() }).optional() });
export type PackEntry = Readonly<z.output<typeof packEntry>>;

/** The changes that a pack is about. Times are epoch milliseconds. */
export interface Selection {
  readonly from: number;
  readonly until: number;
  readonly labels: Readonly<Record<string, string>>;
  /** A name, `area.*` or `*`. */
  readonly operation: string;
}

/** An entry belongs to a change in the pack (`in`), to a change that the filter omits (`change`), or to no change (`other`). */
export const kinds = ['in', 'change', 'other'] as const;
export type Kind = (typeof kinds)[number];

export const isKind = (text: string): text is Kind => kinds.some((kind) => kind === text);

interface Known {
  readonly partOf?: Known | undefined;
  isWanted: boolean;
  hasSingles: boolean;
}

/**
 * Sorts entries by what they are in a pack. A change is a request that was proposed in the period. A request for
 * several targets counts as its parts do.
 */
export function createKinds({ from, until, labels, operation }: Selection) {
  const requests = new Map<string, Known>();
  return {
    /** Called with each entry in order, before `kindOf`. */
    learn(entry: PackEntry): void {
      const { event, at, requestId, target, operation: name = '' } = entry;
      if (event !== 'proposed' || requestId === undefined) return;
      const whole = wholeOf(entry);
      const partOf = whole === undefined ? undefined : requests.get(whole);
      if (whole === undefined ? at < from || at >= until : !partOf) return;
      const isWanted = namesOperation(operation, name) && labelled(labels, { labels: target?.labels ?? {} });
      requests.set(requestId, { partOf, isWanted, hasSingles: false });
      if (!partOf) return;
      partOf.isWanted = isWanted || (partOf.hasSingles && partOf.isWanted);
      partOf.hasSingles = true;
    },
    /** @param id of a request, or '' */
    kindOf(id: string): Kind {
      const known = requests.get(id);
      return known ? (known.isWanted ? 'in' : 'change') : 'other';
    },
  };
}

export const columns = [
  'change',
  'at',
  'operation',
  'target',
  'labels',
  'requester',
  'place',
  'rule',
  'approvers',
  'break_glass',
  'reviewer',
  'outcome',
  'settled_by',
  'reason',
  'entries',
] as const;
const row = z.record(z.enum(columns), z.string());
export type PackRow = Readonly<z.output<typeof row>>;

/** The faults of a row of changes.csv. */
export type Mark = 'altered' | 'missing' | 'invented' | 'unverified';

/** Missing cells are empty. */
export const rowOfCells = (cells: readonly string[]): PackRow =>
  row.parse(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])));

interface Change {
  /** The columns that the proposal alone decides. */
  readonly proposed: Pick<PackRow, 'operation' | 'target' | 'labels' | 'requester' | 'place' | 'rule'>;
  readonly at: number;
  readonly whole: string;
  readonly reason: string;
  // A step replaces these arrays, because an array that grows reserves room for sixteen more items.
  approvers: readonly string[];
  numbers: readonly number[];
  breakGlass: string;
  reviewer: string;
  outcome: string;
  settledBy: string;
  hasSingles: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();

/** Makes a row of each change from its entries alone. @param names of people by id */
export function createRows(names: Readonly<Record<string, string>>) {
  const changes = new Map<string, Change>();
  const same = oneOfEach<string>(String);
  const sameProposal = oneOfEach<Change['proposed']>((one) => JSON.stringify(Object.values(one)));
  const nameOf = nameWith(names);
  const by: By = (actor) => same(nameOf(actor));
  return {
    /** Returns false if the entry belongs to no change. @param reason what was typed; '' if nothing was typed */
    add(entry: PackEntry, reason: string): boolean {
      const { event, requestId = '' } = entry;
      if (event === 'proposed' && !changes.has(requestId)) {
        const whole = wholeOf(entry) ?? '';
        const known = changes.get(whole);
        if (known) known.hasSingles = true;
        const empty = { breakGlass: '', reviewer: '', outcome: '', settledBy: '', hasSingles: false };
        const proposed = sameProposal(proposalOf(entry, by));
        changes.set(requestId, {
          proposed,
          at: entry.at,
          whole,
          reason,
          approvers: [],
          numbers: [],
          ...empty,
        });
      }
      const change = changes.get(requestId);
      if (change) note(change, entry, reason, same, by);
      return change !== undefined;
    },
    /** The ids of all changes, and of requests for several targets. */
    ids: (): Iterable<string> => changes.keys(),
    /** Returns whether the change has a row. */
    has: (id: string): boolean => changes.get(id)?.hasSingles === false,
    /** The rows in the order of their proposals. */
    *rows(): Generator<PackRow> {
      for (const [id, change] of changes)
        if (!change.hasSingles) yield rowOf(id, change, changes.get(change.whole));
    },
  };
}

/** Returns the first of equal values, because a hundred thousand changes repeat theirs, and one copy of each saves memory. */
function oneOfEach<T>(keyOf: (one: T) => string): (one: T) => T {
  const known = new Map<string, T>();
  return (one) => {
    const key = keyOf(one);
    const first = known.get(key);
    if (first === undefined) known.set(key, one);
    return first ?? one;
  };
}

/** Brackets and semicolons, which separate the parts of a cell, the characters that look like them, and invisible ones. */
const imitating = /[\p{Ps}\p{Pe};；﹔\u037E\p{C}]/gu;

/** A name that can't be mistaken for another part of its cell. */
export const nameInRow = (name: string): string =>
  name.replaceAll(imitating, ' ').replaceAll(/ {2,}/gu, ' ').trim();

type By = (actor: Actor | undefined) => string;

const nameWith =
  (names: Readonly<Record<string, string>>): By =>
  (actor) => {
    if (!actor) return 'Bellhop';
    const { user } = actor;
    return Object.hasOwn(names, user) ? `${user} (${names[user] ?? ''})` : user;
  };

const signed = ({ actor, login }: PackEntry, by: By): string =>
  login
    ? `${by(actor)} (${login.issuer} ${nameInRow(login.subject)} at ${iso(login.auth_time * 1000)})`
    : `${by(actor)} (slack)`;

const proposalOf = (
  { operation = '', target, actor, place, rule = '' }: PackEntry,
  by: By,
): Change['proposed'] => ({
  operation,
  target: target?.name ?? '',
  labels: Object.entries(target?.labels ?? {})
    .map(([label, value]) => `${label}=${value}`)
    .join('; '),
  requester: by(actor),
  place: place?.channel ?? '',
  rule,
});

function note(
  change: Change,
  entry: PackEntry,
  reason: string,
  same: (text: string) => string,
  by: By,
): void {
  const { event, actor, outcome } = entry;
  change.numbers = [...change.numbers, entry.number];
  if (event === 'approved') change.approvers = [...change.approvers, same(signed(entry, by))];
  if (event === 'denied approval') change.approvers = [...change.approvers, `denied by ${signed(entry, by)}`];
  if (event === 'break-glass') change.breakGlass = reason || 'yes';
  if (event === 'review closed') change.reviewer = by(actor);
  if (event === 'settled') change.settledBy = same(`${by(actor)} at ${iso(entry.at)}`);
  // Of all entries, only an ignored click has the state of the request without having changed it.
  if (outcome !== undefined && event !== 'ignored click') change.outcome = same(outcome);
}

/** @param whole the request that the change is part of, which was approved as a whole */
const rowOf = (id: string, own: Change, whole: Change | undefined): PackRow => ({
  change: id,
  at: iso(own.at),
  ...own.proposed,
  approvers: [...(whole?.approvers ?? []), ...own.approvers].join('; '),
  break_glass: own.breakGlass || (whole?.breakGlass ?? ''),
  reviewer: own.reviewer || (whole?.reviewer ?? ''),
  outcome: own.outcome,
  settled_by: own.settledBy,
  reason: own.reason,
  entries: [...own.numbers, ...(whole?.numbers ?? [])].toSorted((one, other) => one - other).join(' '),
});
