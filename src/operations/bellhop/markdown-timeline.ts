import type { AuditEntry } from '../../core/audit/audit.ts';

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
  /** What people are called, by user id. */
  readonly names: ReadonlyMap<string, string>;
}

/** What happened, a line an action, in UTC and in the asker's own zone, to be pasted into a report of the incident. */
export function markdownTimeline({ entries, links, names, since, until, zone }: TimelineParts): string {
  const local = clockOf(zone);
  const span = `${utc(since)} to ${utc(until)} UTC`;
  const lines = entries.map((entry) => {
    const link = entry.requestId === undefined ? undefined : links.get(entry.requestId);
    const request =
      entry.requestId === undefined
        ? ''
        : link === undefined
          ? entry.requestId
          : `[${entry.requestId}](${link})`;
    const cells = [utc(entry.at), local(entry.at), who(entry, names), what(entry), request];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Timeline',
    '',
    `${span}. Local: ${knownZone(zone)}.`,
    '',
    ...(lines.length === 0
      ? ['Nothing was done here.']
      : ['| UTC | local | who | what | request |', '|---|---|---|---|---|', ...lines]),
    '',
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

const who = ({ actor }: AuditEntry, names: ReadonlyMap<string, string>): string =>
  actor === undefined ? 'Bellhop' : cell(names.get(actor.user) ?? `@${actor.user}`);

/** `ended: cloud.reboot on web-1, succeeded (stuck)` */
function what({ event, operation, target, outcome, reason, note, rule }: AuditEntry): string {
  const on = target === undefined || target.kind === 'bellhop' ? '' : ` on ${target.name}`;
  const deed = operation === undefined ? '' : `: ${operation}${on}`;
  const came = outcome === undefined || outcome === event ? '' : `, ${outcome}`;
  const by = event === 'denied' && rule !== undefined ? `, ${rule}` : '';
  // Why it was asked for is said once, where it was asked.
  const why = note ?? (event === 'proposed' || event === 'review closed' ? reason : undefined);
  return cell(`${event}${deed}${came}${by}${why === undefined ? '' : ` (${why})`}`);
}

/** Whatever people wrote stays text: no cell ends early, no link or tag comes of it. */
const cell = (text: string): string =>
  text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\|[\]<>`*_]/gu, (letter) => `\\${letter}`);
