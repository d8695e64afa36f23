import { z } from 'zod';

import type { AuditEntry, AuditEvent } from '../../model/audit.ts';
import { type ReadContext, operation } from '../../model/operation.ts';
import { durationText } from '../../command/grammar/times.ts';
import { itemCount } from '../parts/report-parts.ts';
import { bellhopTarget } from '../../command/targets.ts';
import type { Inventory } from '../../model/target.ts';
import { commandOf, outcomeOf } from './audit.ts';

/** Steps that say nothing which another entry beside them does not say. */
const leftOut: ReadonlySet<AuditEvent> = new Set<AuditEvent>([
  'started',
  'invalid',
  'ignored click',
  'policy loaded',
  'policy rejected',
]);

const pageLength = 500;
const mostPages = 20;
const mostEntries = 500;
const mostLinks = 50;
const mostNames = 50;

export const timeline = operation({
  name: 'bellhop.timeline',
  summary: "Write this channel's actions as a Markdown timeline.",
  risk: 'read',
  input: z.strictObject({
    last: durationText.prefault('4h').describe('How far back, such as 4h or 7d.').meta({ placeholder: '4h' }),
  }),
  examples: ['/bellhop timeline --last 4h'],
  target: () => bellhopTarget,
  async run({ last }, context: ReadContext<typeof bellhopTarget>) {
    const since = context.now - last;
    const { entries, whole } = await actionsHere(context, since);
    const ids = [...new Set(entries.flatMap(({ requestId }) => requestId ?? []))];
    const links = new Map<string, string>();
    for (const id of ids.slice(-mostLinks)) {
      const link = await context.bellhop.linkTo(id);
      if (link !== undefined) links.set(id, link);
    }
    const { person, now, inventory } = context;
    const names = await namesIn(context, entries);
    const text = markdownTimeline({
      entries,
      links,
      names,
      inventory,
      since,
      until: now,
      zone: person.timeZone,
    });
    return { count: entries.length, whole, text, unlinked: ids.length - links.size };
  },
  report: ({ count, whole, text, unlinked }) => ({
    title: 'Timeline',
    headline: `${itemCount(count, 'action', 'actions')} in this channel.`,
    document: { fileName: 'timeline.md', text },
    notes: [
      ...(whole
        ? []
        : ['There is more than fits: these are the newest. Ask for a shorter time with --last.']),
      ...(unlinked > 0
        ? [`${itemCount(unlinked, 'request has', 'requests have')} no link to a message.`]
        : []),
    ],
  }),
});

/** What the people of the entries are called, by user id: what is pasted elsewhere must not need Slack to be read. */
async function namesIn({ bellhop }: ReadContext<typeof bellhopTarget>, entries: readonly AuditEntry[]) {
  const names = new Map<string, string>();
  const people = new Map(entries.flatMap(({ actor }) => (actor ? [[actor.user, actor] as const] : [])));
  for (const actor of [...people.values()].slice(-mostNames)) {
    const name = await bellhop.nameOf(actor);
    if (name !== undefined) names.set(actor.user, name);
  }
  return names;
}

/** The channel's entries, oldest first; the newest where there are too many. */
async function actionsHere({ bellhop, actor, place }: ReadContext<typeof bellhopTarget>, since: number) {
  const here: AuditEntry[] = [];
  let before: number | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const entries = await bellhop.audit({ actor, place }, { since, limit: pageLength, before });
    here.push(
      ...entries.filter(
        (entry) =>
          !leftOut.has(entry.event) &&
          entry.place?.team === place.team &&
          entry.place.channel === place.channel,
      ),
    );
    before = entries.at(-1)?.seq;
    const over = here.length > mostEntries;
    if (entries.length < pageLength || over)
      return { entries: here.slice(0, mostEntries).toReversed(), whole: !over };
  }
  return { entries: here.toReversed(), whole: false };
}

interface TimelineParts {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
  /** By request id. */
  readonly links: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly until: number;
  /** IANA zone of whoever asks. */
  readonly zone: string;
  readonly inventory: Inventory;
  /** What people are called, by user id. */
  readonly names: ReadonlyMap<string, string>;
}

/** What happened, a line an action, in the asker's own zone and in UTC, to be pasted into a report of the incident. */
export function markdownTimeline(parts: TimelineParts): string {
  const { entries, links, since, until, zone } = parts;
  const local = clockOf(zone);
  const days = Map.groupBy(entries, ({ at }) => local(at).slice(0, 10));
  const line = (entry: AuditEntry): string =>
    `- ${local(entry.at).slice(11, 16)} (${utc(entry.at).slice(11)} UTC) ${sentence(entry, parts)}`;
  const sections = [...days].map(([day, ofDay]) => `## ${day}\n\n${ofDay.map(line).join('\n')}\n`);
  const shown = new Set(entries.map(({ requestId }) => requestId));
  // Below, because a long address in a line cannot be read on a phone.
  const references = [...links].filter(([id]) => shown.has(id)).map(([id, link]) => `[${id}]: ${link}\n`);
  return [
    '# Timeline',
    '',
    `${utc(since)} to ${utc(until)} UTC. Local: ${knownZone(zone)}.`,
    '',
    ...(sections.length === 0 ? ['Nothing was done here.\n'] : sections),
    ...(references.length === 0 ? [] : [references.join('')]),
  ].join('\n');
}

const utc = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** A profile can name a zone that this machine does not know. */
function knownZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

function clockOf(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: knownZone(zone),
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => format.format(at);
}

/** What a source of alerts told is nobody's doing: its note names the source. */
const who = ({ actor, event }: AuditEntry, names: ReadonlyMap<string, string>): string =>
  actor === undefined
    ? event.startsWith('alert ')
      ? ''
      : 'Bellhop'
    : cell(names.get(actor.user) ?? `@${actor.user}`);

/** Why it was asked for is said once, where it was asked; the reason of the others is that of whoever did it. */
const saysWhy: ReadonlySet<AuditEvent> = new Set(['proposed', 'denied approval', 'review closed']);

/** `**succeeded** cloud reboot web-1, Bellhop, [r-1](…)`, with why before what. */
function sentence(entry: AuditEntry, { links, names, inventory }: TimelineParts): string {
  const { event, reason, note, requestId } = entry;
  const why = note ?? (saysWhy.has(event) ? reason : undefined);
  const details = [
    cell(commandOf(entry, inventory)),
    who(entry, names),
    ...(event === 'denied' ? [cell(entry.rule ?? '')] : []),
    ...(requestId === undefined ? [] : [links.has(requestId) ? `[${requestId}]` : requestId]),
  ].filter((part) => part !== '');
  return [
    `**${cell(outcomeOf(entry))}**`,
    ...(why === undefined ? [] : [`“${cell(why)}”`]),
    details.join(', '),
  ].join(' ');
}

/** Whatever people wrote stays text: no cell ends early, no link or tag comes of it. */
const cell = (text: string): string =>
  text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\|[\]<>`*_]/gu, (letter) => `\\${letter}`);
