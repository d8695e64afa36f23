import { clockOf } from '../../text/local-time.ts';
import { durationText, nameOfId } from '../../text/words.ts';
import { type EventMeanings, meaningOf } from '../../model/audit-event.ts';
import { type AuditEntry, type AuditEvent, type AuditFilter, wholeOf } from '../../model/records/audit.ts';
import { partBeganText } from '../../model/records/whole.ts';
import { type ReadContext, type BellhopTarget, z } from '../../bellhop/bellhop.ts';
import type { Inventory } from '../../model/rulebook/target.ts';

export const entryOptions = (last: string) => ({
  last: durationText.prefault(last).describe('How far back, such as 4h or 7d.').meta({ placeholder: '4h' }),
  reads: z.boolean().default(false).describe('Include reads, invalid commands and clicks that did nothing.'),
});

/** Such as `/cloud reboot web-1`, with the target's current name. Empty for entries about no command. */
export function commandOf({ operation: name, target }: AuditEntry, inventory: Inventory): string {
  if (name === undefined) return '';
  const words = `/${name.replace('.', ' ')}`;
  if (target === undefined || target.kind === 'bellhop') return words;
  const id = target.kind === 'instance' ? target.key.split('/').at(-1) : undefined;
  const listed = id === undefined ? undefined : nameOfId(inventory.instances, id);
  return `${words} ${listed ?? target.name}`;
}

const userId = /\b[UW](?=[A-Z]*\d)[A-Z0-9]{4,20}\b/gu;
const utcTime = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\b/gu;

const maxNames = 50;

/** By user id. A pasted timeline has to be readable outside Slack. */
function personNames(
  { bellhop, place: { team } }: ReadContext<BellhopTarget>,
  entries: readonly AuditEntry[],
) {
  const acted = new Map(entries.flatMap(({ actor }) => (actor ? [[actor.user, actor] as const] : [])));
  const named = new Set(entries.flatMap(({ note = '' }) => note.match(userId) ?? []));
  // People who acted come first, because the title of an alert in a note may have many words that look like ids.
  const noted = [...named].filter((user) => !acted.has(user)).map((user) => ({ team, user }));
  const asked = [...acted.values(), ...noted].slice(0, maxNames);
  return lookedUp(asked, (actor) => [actor.user, bellhop.nameOf(actor)]);
}

/** At the same time, because *Copy for the post-mortem* has three seconds to open its view. Omits unknown values. */
export async function lookedUp<T>(
  all: readonly T[],
  ask: (one: T) => readonly [string, Promise<string | undefined>],
): Promise<ReadonlyMap<string, string>> {
  const asked = all.map(ask);
  const found = await Promise.all(asked.map(([, answer]) => answer));
  return new Map(
    asked.flatMap(([key], index) => (found[index] === undefined ? [] : [[key, found[index]] as const])),
  );
}

/** Returns text that is not a time unchanged, because people may have typed what only looks like one. */
function localTime(time: string, zone: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : clockOf(zone)(at);
}

export interface FoundEntries {
  readonly entries: readonly AuditEntry[];
  /** In epoch milliseconds. */
  readonly since: number;
  readonly until: number;
  readonly events: EventMeanings;
  /** By user id. */
  readonly names: ReadonlyMap<string, string>;
  readonly inventory: Inventory;
  /** IANA. */
  readonly zone: string;
}

/**
 * Such as `requested /cloud reboot web-1: “stuck”`. The subject is omitted if a person or Bellhop did it.
 * @param about the command, or `it` below an entry that names the command
 */
export const entrySentence = (
  entry: AuditEntry,
  about: string,
  { events, names, zone }: Pick<FoundEntries, 'events' | 'names' | 'zone'>,
): string =>
  isStepOfWhole(entry)
    ? `${about} ${partBeganText}`
    : meaningOf(events, entry)
        .sentence(entry, about)
        .replaceAll(userId, (id) => names.get(id) ?? id)
        .replaceAll(utcTime, (time) => localTime(time, zone));

export const hasSubject = (entry: AuditEntry, events: EventMeanings): boolean =>
  !meaningOf(events, entry).isImpersonal && !isStepOfWhole(entry);

const isStepOfWhole = (entry: AuditEntry): boolean =>
  entry.event === 'proposed' && wholeOf(entry) !== undefined;

/** Oldest first. The steps of a request and of its parts are together. */
export function byRequest(entries: readonly AuditEntry[]): readonly (readonly AuditEntry[])[] {
  const inOrder = entries.toSorted((one, other) => one.at - other.at || one.seq - other.seq);
  return [...Map.groupBy(inOrder, (entry) => wholeOf(entry) ?? entry.requestId ?? entry.seq).values()];
}

/** These entries are shown only on demand, because they changed nothing, or another entry says the same. */
const quiet: ReadonlySet<AuditEvent> = new Set<AuditEvent>(['read', 'invalid', 'ignored click']);
const said: ReadonlySet<AuditEvent> = new Set<AuditEvent>(['started']);

const pageLength = 500;
const maxPages = 20;

interface Wanted {
  readonly reads: boolean;
  readonly most: number;
  readonly isWanted?: (entry: AuditEntry) => boolean;
}

/** Newest first. `whole` is false if there are more entries. */
export async function findEntries(
  context: ReadContext<BellhopTarget>,
  filter: Omit<AuditFilter, 'limit' | 'before'> & Pick<FoundEntries, 'since'>,
  { reads, most, isWanted = () => true }: Wanted,
): Promise<FoundEntries & { readonly whole: boolean }> {
  const { bellhop, actor, place, inventory, person, now: until } = context;
  const found: AuditEntry[] = [];
  let before: number | undefined;
  let whole = false;
  for (let page = 0; page < maxPages && !whole && found.length <= most; page += 1) {
    const read = await bellhop.audit({ actor, place }, { ...filter, limit: pageLength, before });
    found.push(
      ...read.filter(
        (entry) => !said.has(entry.event) && (reads || !quiet.has(entry.event)) && isWanted(entry),
      ),
    );
    before = read.at(-1)?.seq;
    whole = read.length < pageLength && found.length <= most;
  }
  const entries = found.slice(0, most);
  const names = await personNames(context, entries);
  const { since } = filter;
  const { events } = bellhop;
  return { entries, whole, since, until, events, names, inventory, zone: person.timeZone };
}
