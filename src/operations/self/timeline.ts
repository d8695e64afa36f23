import type { EventMeanings } from '../../model/audit-event.ts';
import type { AuditEntry } from '../../model/records/audit.ts';
import { type ReadContext, operation, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import { capitalized } from '../../text/words.ts';
import { given, itemCount } from '../../bellhop/parts/report-parts.ts';
import { clockOf, periodText } from '../../text/local-time.ts';
import type { Inventory } from '../../model/rulebook/target.ts';
import {
  byRequest,
  commandOf,
  entryOptions,
  entrySentence,
  findEntries,
  hasSubject,
} from './entry-sentence.ts';

const maxEntries = 500;
const maxLinks = 50;
const maxNames = 50;

export const timeline = operation({
  name: 'bellhop.timeline',
  summary: "Write this channel's changes and alerts as a timeline, for a post-mortem.",
  risk: 'read',
  input: z.strictObject(entryOptions('4h')),
  examples: ['/bellhop timeline --last 4h'],
  async run({ last, reads }, context: ReadContext<BellhopTarget>) {
    const since = context.now - last;
    const { place } = context;
    const isHere = (entry: AuditEntry): boolean =>
      entry.place?.team === place.team && entry.place.channel === place.channel;
    const found = await findEntries(context, { since }, { reads, most: maxEntries, isWanted: isHere });
    const { entries, whole } = found;
    const ids = byRequest(entries).flatMap(([first]) => first?.requestId ?? []);
    const links = await known(ids.slice(-maxLinks), (id) => [id, context.bellhop.linkTo(id)]);
    const { person, now, inventory } = context;
    const names = await namesIn(context, entries);
    const { events } = context.bellhop;
    const parts = { entries, events, links, names, inventory, since, until: now, zone: person.timeZone };
    return {
      count: entries.length,
      whole,
      text: timelineText(parts, markdown),
      plain: timelineText(parts, plainText),
      unlinked: ids.length - links.size,
    };
  },
  report: ({ count, whole, text, plain, unlinked }) => ({
    title: 'Timeline',
    headline: `${itemCount(count, 'entry', 'entries')} in this channel.`,
    document: { fileName: 'timeline.md', text, plain },
    notes: given(
      !whole && 'There are more; these are the newest. Use a shorter --last.',
      unlinked > 0 && `${itemCount(unlinked, 'request has', 'requests have')} no link to a message.`,
    ),
  }),
});

/** An id of a person, and a time, as plain texts have them. */
const userId = /\b[UW](?=[A-Z]*\d)[A-Z0-9]{4,20}\b/gu;
const utcTime = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\b/gu;

/** Resolves to names by user id, because a pasted timeline has to be readable outside Slack. */
function namesIn({ bellhop, place: { team } }: ReadContext<BellhopTarget>, entries: readonly AuditEntry[]) {
  const acted = new Map(entries.flatMap(({ actor }) => (actor ? [[actor.user, actor] as const] : [])));
  const named = new Set(entries.flatMap(({ note = '' }) => note.match(userId) ?? []));
  // People who acted come first, because the title of an alert in a note may have many words that look like ids.
  const noted = [...named].filter((user) => !acted.has(user)).map((user) => ({ team, user }));
  const asked = [...acted.values(), ...noted].slice(0, maxNames);
  return known(asked, (actor) => [actor.user, bellhop.nameOf(actor)]);
}

/** Makes all look-ups at the same time, because *Copy for the post-mortem* has three seconds to open its view. Omits what is unknown. */
async function known<T>(
  all: readonly T[],
  ask: (one: T) => readonly [string, Promise<string | undefined>],
): Promise<ReadonlyMap<string, string>> {
  const asked = all.map(ask);
  const found = await Promise.all(asked.map(([, answer]) => answer));
  return new Map(
    asked.flatMap(([key], index) => (found[index] === undefined ? [] : [[key, found[index]] as const])),
  );
}

interface TimelineParts {
  readonly entries: readonly AuditEntry[];
  readonly events: EventMeanings;
  /** Maps request ids to links. */
  readonly links: ReadonlyMap<string, string>;
  /** In epoch milliseconds. */
  readonly since: number;
  readonly until: number;
  /** The reader's IANA zone. */
  readonly zone: string;
  readonly inventory: Inventory;
  /** Maps user ids to names. */
  readonly names: ReadonlyMap<string, string>;
}

interface Style {
  readonly title: string;
  readonly day: (day: string) => string;
  readonly item: string;
  readonly step: string;
  readonly text: (text: string) => string;
  readonly reference: (id: string, isLinked: boolean) => string;
  readonly link: (id: string, link: string) => string;
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** Escapes Markdown, so that nothing people wrote becomes a link or a tag. */
export const markdown: Style = {
  title: '# ',
  day: (day) => `## ${day}\n`,
  item: '- ',
  step: '  - ',
  text: (text) => onOneLine(text).replaceAll(/[\\|[\]<>`*_]/gu, (letter) => `\\${letter}`),
  reference: (id, isLinked) => (isLinked ? ` [${id}]` : ` (${id})`),
  link: (id, link) => `[${id}]: ${link}\n`,
};

const plainText: Style = {
  title: '',
  day: (day) => day,
  item: '',
  step: '  ',
  text: onOneLine,
  reference: (id) => ` (${id})`,
  link: (id, link) => `${id}: ${link}\n`,
};

/** Returns what happened, for a post-mortem. Each entry is a line, with the steps of a request below each other. */
export function timelineText(parts: TimelineParts, style: Style): string {
  const { entries, links, since, until, zone } = parts;
  const local = clockOf(zone);
  const dayOf = (at: number): string => local(at).slice(0, 10);
  const groups = byRequest(entries).map(([first, ...later]) => ({
    day: dayOf(first?.at ?? since),
    text: [
      ...(first
        ? [
            `${style.item}${local(first.at).slice(11, 16)} ${line(first, parts, style)}${reference(first, parts, style)}\n`,
          ]
        : []),
      ...later.map((entry) => {
        const from = dayOf(entry.at) === dayOf(first?.at ?? since) ? 11 : 0;
        const about = entry.requestId === first?.requestId ? 'it' : undefined;
        return `${style.step}${local(entry.at).slice(from, 16)} ${line(entry, parts, style, about)}\n`;
      }),
    ].join(''),
  }));
  const days = [...Map.groupBy(groups, ({ day }) => day)];
  const sections = days.map(([day, ofDay]) => `${style.day(day)}\n${ofDay.map(({ text }) => text).join('')}`);
  // Links are at the end, because a long address within a line cannot be read on a phone.
  const references = [...links].map(([id, link]) => style.link(id, link));
  return [
    `${style.title}Timeline, ${periodText(since, until, zone)}`,
    '',
    ...(sections.length === 0 ? ['Nothing happened here.\n'] : sections),
    ...(references.length === 0 ? [] : [references.join('')]),
  ].join('\n');
}

const line = (
  entry: AuditEntry,
  { names, inventory, events, zone }: TimelineParts,
  style: Style,
  about = commandOf(entry, inventory),
): string => {
  const { actor } = entry;
  const who = actor === undefined ? 'Bellhop' : (names.get(actor.user) ?? `@${actor.user}`);
  const sentence = entrySentence(entry, about, events)
    .replaceAll(userId, (id) => names.get(id) ?? id)
    .replaceAll(utcTime, (time) => localTime(time, zone));
  return style.text(hasSubject(entry, events) ? `${who} ${sentence}` : capitalized(sentence));
};

/** People may have typed what only looks like a time. */
function localTime(time: string, zone: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : clockOf(zone)(at);
}

const reference = ({ requestId }: AuditEntry, { links }: TimelineParts, style: Style): string =>
  requestId === undefined ? '' : style.reference(requestId, links.has(requestId));
