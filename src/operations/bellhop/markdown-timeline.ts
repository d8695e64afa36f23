import type { AuditEntry, AuditEvent } from '../../model/audit.ts';
import type { Inventory } from '../../model/target.ts';
import { commandOf, outcomeOf } from './entry-words.ts';

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
