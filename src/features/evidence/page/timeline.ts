import { type PackEntry, readEntry } from '../pack/changes.ts';
import type { PackRow } from '../pack/csv.ts';
import type { Manifest } from '../pack/manifest.ts';
import type { BrowserPack } from './browser-files.ts';
import { element } from './dom.ts';
import { sentenceOf } from './sentences.ts';

/** `at` is the entry's byte offset in entries.jsonl, and `length` its length in bytes. `reason` is what was typed. */
export interface EntryPlace {
  readonly at: number;
  readonly length: number;
  readonly reason: string;
}

export interface TimelineSource {
  readonly files: BrowserPack;
  readonly places: ReadonlyMap<number, EntryPlace>;
  readonly names: Manifest['names'];
}

const secondOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

const actorOf = ({ actor }: PackEntry, names: Manifest['names']): string => {
  if (!actor) return 'Bellhop';
  const { user } = actor;
  return Object.hasOwn(names, user) ? `${user} (${names[user] ?? ''}, a name that is not proved)` : user;
};

async function stepOf(number: string, { files, places, names }: TimelineSource): Promise<HTMLElement> {
  const place = places.get(Number(number));
  const raw = place ? await files.textAt('entries.jsonl', place) : '';
  const entry = readEntry(raw);
  if (!place || !entry)
    return element('li', {}, `Entry ${number} has not been verified, so it is not shown.`);
  const { at, login } = entry;
  const signedIn = login ? ` (that sign-in was at ${secondOf(login.auth_time * 1000)})` : '';
  return element(
    'li',
    {},
    element('time', { datetime: new Date(at).toISOString(), class: 'soft' }, secondOf(at)),
    ` ${sentenceOf(entry, place.reason, actorOf(entry, names))}${signedIn}`,
    element('details', {}, element('summary', {}, `Entry ${number}`), element('pre', {}, raw)),
  );
}

/** Oldest first, each step as a sentence and as the entry itself. */
export async function timelineOf(row: PackRow, entries: TimelineSource): Promise<HTMLElement> {
  const numbers = row.entries.split(' ').filter(Boolean);
  const items = await Promise.all(numbers.map((number) => stepOf(number, entries)));
  const labels = row.labels === '' ? '' : `, ${row.labels}`;
  return element(
    'div',
    {},
    element('p', { class: 'soft' }, `${row.change} in ${row.place}${labels}. Times are in UTC.`),
    items.length > 0
      ? element('ol', { class: 'timeline' }, ...items)
      : 'No entry of this pack belongs to it.',
  );
}
