import type { AuditEntry } from '../../model/records/audit.ts';
import { type ReadContext, operation, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import { capitalized } from '../../text/words.ts';
import { given, itemCount } from '../../bellhop/parts/report-parts.ts';
import { clockOf, periodText } from '../../text/local-time.ts';
import {
  byRequest,
  commandOf,
  entryOptions,
  entrySentence,
  findEntries,
  hasSubject,
  lookedUp,
  type FoundEntries,
} from './entry-sentence.ts';

const maxEntries = 500;
const maxLinks = 50;

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
    const links = await lookedUp(ids.slice(-maxLinks), (id) => [id, context.bellhop.linkTo(id)]);
    const parts = { ...found, links };
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

interface TimelineParts extends FoundEntries {
  /** By request id. */
  readonly links: ReadonlyMap<string, string>;
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

/** Each entry is a line, with the steps of a request below each other. */
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
  parts: TimelineParts,
  style: Style,
  about = commandOf(entry, parts.inventory),
): string => {
  const { actor } = entry;
  const who = actor === undefined ? 'Bellhop' : (parts.names.get(actor.user) ?? `@${actor.user}`);
  const sentence = entrySentence(entry, about, parts);
  return style.text(hasSubject(entry, parts.events) ? `${who} ${sentence}` : capitalized(sentence));
};

const reference = ({ requestId }: AuditEntry, { links }: TimelineParts, style: Style): string =>
  requestId === undefined ? '' : style.reference(requestId, links.has(requestId));
