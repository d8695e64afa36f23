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

/** Returns `/cloud reboot web-1`, with the target's current name. Empty for entries about no command. */
export function commandOf({ operation: name, target }: AuditEntry, inventory: Inventory): string {
  if (name === undefined) return '';
  const words = `/${name.replace('.', ' ')}`;
  if (target === undefined || target.kind === 'bellhop') return words;
  const id = target.kind === 'instance' ? target.key.split('/').at(-1) : undefined;
  const listed = id === undefined ? undefined : nameOfId(inventory.instances, id);
  return `${words} ${listed ?? target.name}`;
}

/**
 * Returns an entry as a sentence: `requested /cloud reboot web-1: “stuck”`. The subject is omitted if a person or
 * Bellhop did it.
 * @param about the command, or `it` below an entry that names the command
 */
export const entrySentence = (entry: AuditEntry, about: string, events: EventMeanings): string =>
  isStepOfWhole(entry) ? `${about} ${partBeganText}` : meaningOf(events, entry).sentence(entry, about);

export const hasSubject = (entry: AuditEntry, events: EventMeanings): boolean =>
  !meaningOf(events, entry).isImpersonal && !isStepOfWhole(entry);

const isStepOfWhole = (entry: AuditEntry): boolean =>
  entry.event === 'proposed' && wholeOf(entry) !== undefined;

/** Tells a story: oldest first, with the steps of each request together, and those of a whole with its parts. */
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

/** Reads the log page by page, newest first. `whole` is false if there are more entries. */
export async function findEntries(
  { bellhop, actor, place }: ReadContext<BellhopTarget>,
  filter: Omit<AuditFilter, 'limit' | 'before'>,
  { reads, most, isWanted = () => true }: Wanted,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly whole: boolean }> {
  const found: AuditEntry[] = [];
  let before: number | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const entries = await bellhop.audit({ actor, place }, { ...filter, limit: pageLength, before });
    found.push(
      ...entries.filter(
        (entry) => !said.has(entry.event) && (reads || !quiet.has(entry.event)) && isWanted(entry),
      ),
    );
    before = entries.at(-1)?.seq;
    const over = found.length > most;
    if (entries.length < pageLength || over) return { entries: found.slice(0, most), whole: !over };
  }
  return { entries: found, whole: false };
}
