import { z } from 'zod';

import { auditEntry, wholeOf } from '../../../model/records/audit.ts';
import { namesOperation } from '../../../model/rulebook/rulebook.ts';
import { labelled } from '../../../model/rulebook/target.ts';
import { parseJson } from '../../../text/words.ts';
import { nameInRow, type PackRow, rowOfRecord } from './csv.ts';
import type { Selection } from './manifest.ts';

/** An audit entry as its leaf stores it. The reason is a hash instead of the text. */
const packEntry = auditEntry
  .omit({ seq: true, hash: true, reason: true, reasonRemoved: true })
  .extend({ number: z.int().min(1), reason: z.object({ sha256: z.string() }).optional() });
export type PackEntry = Readonly<z.output<typeof packEntry>>;

/** @param leaf see `leafText` */
export const readEntry = (leaf: string): PackEntry | undefined => packEntry.safeParse(parseJson(leaf)).data;

/** An entry belongs to a change in the pack (`in`), to a change that the filter omits (`change`), or to no change (`other`). */
export const kinds = ['in', 'change', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** A change is a request that was proposed in the period. A request for several targets is in the pack if one of its parts is. */
export function createKinds({ from, until, labels, operation }: Selection) {
  /** By id of the request. */
  const requests = new Map<string, boolean>();
  const wholes = new Set<string>();
  return {
    /** Called with each entry in order, before `kindOf`. */
    learn(entry: PackEntry): void {
      const { event, at, requestId, target, operation: name = '' } = entry;
      if (event !== 'proposed' || requestId === undefined) return;
      const whole = wholeOf(entry);
      if (whole === undefined ? at < from || at >= until : !requests.has(whole)) return;
      const isWanted = namesOperation(operation, name) && labelled(labels, { labels: target?.labels ?? {} });
      requests.set(requestId, isWanted);
      if (whole === undefined) return;
      requests.set(whole, isWanted || (wholes.has(whole) && requests.get(whole) === true));
      wholes.add(whole);
    },
    kindOf({ requestId = '' }: Pick<PackEntry, 'requestId'>): Kind {
      const isWanted = requests.get(requestId);
      return isWanted === undefined ? 'other' : isWanted ? 'in' : 'change';
    },
  };
}

type Cells = { -readonly [column in keyof PackRow]: PackRow[column] };

interface Change {
  readonly cells: Cells;
  /** Replaced by each step, because an array that grows reserves room for sixteen more items. */
  numbers: readonly number[];
  /** The request for several targets that this change belongs to. It was approved as a whole. */
  readonly whole: Change | undefined;
  isWhole: boolean;
}

/** Uses nothing but the entries. @param names of people by id */
export function createRows(names: Readonly<Record<string, string>>) {
  const changes = new Map<string, Change>();
  const texts = createTexts(names);
  return {
    /** Returns false if the entry belongs to no change. @param reason what was typed; '' if nothing was typed */
    add(entry: PackEntry, reason: string): boolean {
      const { event, number, requestId = '' } = entry;
      if (event === 'proposed' && !changes.has(requestId)) {
        const whole = changes.get(wholeOf(entry) ?? '');
        if (whole) whole.isWhole = true;
        const cells = proposedCells(entry, reason, texts);
        changes.set(requestId, { cells, numbers: [], whole, isWhole: false });
      }
      const change = changes.get(requestId);
      if (!change) return false;
      change.numbers = [...change.numbers, number];
      note(change.cells, entry, reason, texts);
      return true;
    },
    /** In the order of their proposals. Includes requests for several targets. */
    ids: (): Iterable<string> => changes.keys(),
    rowOf(id: string): PackRow | undefined {
      const change = changes.get(id);
      return change && !change.isWhole ? rowOf(change) : undefined;
    },
    /** In the order of their proposals. */
    *rows(): Generator<PackRow> {
      for (const change of changes.values()) if (!change.isWhole) yield rowOf(change);
    },
  };
}

type Texts = ReturnType<typeof createTexts>;

function createTexts(names: Readonly<Record<string, string>>) {
  const known = new Map<string, string>();
  /** Many texts of a hundred thousand changes are equal, so keeping one copy of each saves memory. */
  const same = (text: string): string => known.get(text) ?? (known.set(text, text), text);
  const by = ({ actor }: PackEntry): string => {
    if (!actor) return 'Bellhop';
    const { user } = actor;
    return same(Object.hasOwn(names, user) ? `${user} (${names[user] ?? ''})` : user);
  };
  return { same, by };
}

const emptyRow = rowOfRecord('');

const proposedCells = (entry: PackEntry, reason: string, { same, by }: Texts): Cells => {
  const { requestId = '', at, operation = '', target, place, rule = '' } = entry;
  const labels = Object.entries(target?.labels ?? {}).map(([label, value]) => `${label}=${value}`);
  return {
    ...emptyRow,
    change: requestId,
    at: iso(at),
    operation: same(operation),
    target: same(target?.name ?? ''),
    labels: same(labels.join('; ')),
    requester: by(entry),
    place: same(place?.channel ?? ''),
    rule: same(rule),
    reason,
  };
};

function note(cells: Cells, entry: PackEntry, reason: string, { same, by }: Texts): void {
  const { event, at, outcome } = entry;
  const who = by(entry);
  if (event === 'approved') cells.approvers = same(joined(cells.approvers, signed(who, entry)));
  if (event === 'denied approval')
    cells.approvers = same(joined(cells.approvers, `denied by ${signed(who, entry)}`));
  if (event === 'break-glass') cells.break_glass = reason || 'yes';
  if (event === 'review closed') cells.reviewer = who;
  if (event === 'settled') cells.settled_by = same(`${who} at ${iso(at)}`);
  // An ignored click has the state of the request, but did not change it.
  if (outcome !== undefined && event !== 'ignored click') cells.outcome = same(outcome);
}

const iso = (at: number): string => new Date(at).toISOString();

const joined = (...cells: readonly string[]): string => cells.filter((cell) => cell !== '').join('; ');

const rowOf = ({ cells, numbers, whole }: Change): PackRow => ({
  ...cells,
  approvers: joined(whole?.cells.approvers ?? '', cells.approvers),
  break_glass: cells.break_glass || (whole?.cells.break_glass ?? ''),
  reviewer: cells.reviewer || (whole?.cells.reviewer ?? ''),
  entries: [...numbers, ...(whole?.numbers ?? [])].toSorted((one, other) => one - other).join(' '),
});

const signed = (who: string, { login }: PackEntry): string =>
  login
    ? `${who} (${login.issuer} ${nameInRow(login.subject)} at ${iso(login.auth_time * 1000)})`
    : `${who} (slack)`;
