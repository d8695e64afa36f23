import { parseJson } from '../../../text/words.ts';
import { type PackEntry, packEntry, type PackRow } from '../pack/changes.ts';
import type { Manifest } from '../pack/manifest.ts';
import type { BrowserPack } from './browser-files.ts';
import { element } from './dom.ts';
import { sentenceOf } from './sentences.ts';

/** The place of an entry in entries.jsonl, in bytes, and what was typed. */
export interface EntryPlace {
  readonly at: number;
  readonly length: number;
  readonly reason: string;
}

export interface Entries {
  readonly files: BrowserPack;
  readonly places: ReadonlyMap<number, EntryPlace>;
  readonly names: Manifest['names'];
}

const signInOf = (entry: PackEntry | undefined): string =>
  entry?.login ? ` (that sign-in was at ${secondOf(entry.login.auth_time * 1000)})` : '';

const secondOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** The steps of a change, oldest first, each as a sentence and as the entry itself. */
export async function timelineOf(row: PackRow, { files, places, names }: Entries): Promise<HTMLElement> {
  const items = await Promise.all(
    row.entries
      .split(' ')
      .filter(Boolean)
      .map(async (number) => {
        const place = places.get(Number(number));
        if (!place) return element('li', {}, `Entry ${number} has not been verified, so it is not shown.`);
        const raw = await files.textAt('entries.jsonl', place);
        const { data } = packEntry.safeParse(parseJson(raw));
        const user = data?.actor?.user;
        const who =
          user === undefined
            ? 'Bellhop'
            : Object.hasOwn(names, user)
              ? `${user} (${names[user] ?? ''}, a name that is not proved)`
              : user;
        const time = data ? new Date(data.at).toISOString() : '';
        return element(
          'li',
          {},
          element('time', { datetime: time, class: 'soft' }, data ? secondOf(data.at) : ''),
          ` ${data ? sentenceOf(data, place.reason, who) : ''}${signInOf(data)}`,
          element('details', {}, element('summary', {}, `Entry ${number}`), element('pre', {}, raw)),
        );
      }),
  );
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
