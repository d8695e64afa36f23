import { capitalized, counted, durationText, nameOfId } from '../../text/words.ts';
import type { AuditEntry, AuditEvent, AuditFilter } from '../../model/records/audit.ts';
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
export const entrySentence = (entry: AuditEntry, about: string): string =>
  isStepOfRollout(entry) ? `${about} began as part of the rollout` : sentenceOfEvent(entry, about);

function sentenceOfEvent(entry: AuditEntry, about: string): string {
  const { error, note, outcome = 'ended', rule, actor } = entry;
  const [because, details] = [becauseOf(entry), note === undefined ? '' : `: ${note}`];
  switch (entry.event) {
    case 'read':
      return `ran ${about}${entry.count === undefined ? '' : `, ${counted(entry.count, 'more time')}`}${outcome === 'failed' ? `, which failed (${error ?? 'no reason given'})` : ''}`;
    case 'denied':
      return `was denied ${about}${rule === undefined ? '' : ` (${rule})`}${details}`;
    case 'invalid':
      return `entered an invalid command${about === '' ? '' : `, ${about}`}${asideOf(error)}`;
    case 'proposed':
    case 'suggested':
    case 'denied approval':
      return `${verbs[entry.event]} ${about}${because}`;
    case 'confirmed':
    case 'approved':
    case 'started':
      return `${entry.event} ${about}${signedIn(entry)}`;
    case 'approvers added':
      return `asked more people to approve ${about}${details}`;
    case 'cancelled':
      return `cancelled ${about}`;
    case 'superseded':
      return `replaced ${about} with a newer request`;
    case 'refused':
    case 'paused':
    case 'continued':
    case 'stopped':
      return `${entry.event} ${about}${details}`;
    case 'break-glass':
      return `used break-glass for ${about}${because}`;
    case 'review closed':
      return `closed the break-glass review${because}`;
    case 'settled':
      return actor === undefined
        ? `settled ${about} as ${outcome}${details}`
        : `settled ${about} as “${outcome === 'failed' ? 'did not run' : 'ran'}”${because}`;
    case 'login refused':
      return `could not sign in for ${about}${details}`;
    case 'ignored click':
      return `clicked a button, to no effect${asideOf(note)}`;
    case 'policy loaded':
    case 'policy rejected':
    case 'log adopted':
    case 'person forgotten':
      return `${verbs[entry.event]}${details}`;
    case 'ended':
      return endedSentence(about, outcome, note ?? causeOf(error));
    case 'pressed':
    case 'dismissed':
      return `${verbs[entry.event]} ${suggestionOf(entry)}: ${about}`;
    case 'expired':
      return `${about} expired${details}`;
    case 'alert firing':
    case 'alert resolved':
      return `${capitalized(entry.event)}: ${note ?? about}`;
    case 'store set back':
      return note ?? 'The store was restored.';
  }
}

const verbs = {
  proposed: 'requested',
  suggested: 'suggested',
  'denied approval': 'denied',
  pressed: 'took up',
  dismissed: 'dismissed',
  'policy loaded': 'loaded the rules',
  'policy rejected': 'rejected new rules',
  'log adopted': 'adopted the audit log',
  'person forgotten': 'replaced a person with a pseudonym',
} as const;

function endedSentence(about: string, outcome: string, cause = ''): string {
  const because = cause === '' ? '' : `: ${cause}`;
  if (outcome === 'unknown') return `${about} has an unknown outcome${because}`;
  return `${about} ${outcome === 'done' ? 'is done' : outcome}${because}`;
}

const causeOf = (error = ''): string => causes.get(error) ?? error;

const causes: ReadonlyMap<string, string> = new Map([
  ['unknown-outcome', ''],
  ['rejected', 'the service rejected it'],
  ['not-sent', 'it was not sent'],
]);

const suggestionOf = ({ suggestion }: AuditEntry): string =>
  suggestion?.agent === undefined ? "an agent's suggestion" : `${suggestion.agent}'s suggestion`;

const asideOf = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`);

const signedIn = ({ login }: AuditEntry): string =>
  login
    ? `, signed in at ${login.issuer} as ${login.subject}${login.acr === undefined ? '' : ` (${login.acr})`}`
    : '';

const becauseOf = ({ reason, reasonRemoved }: AuditEntry): string =>
  reasonRemoved ? ' (reason removed)' : reason === undefined ? '' : `: “${reason}”`;

/** The sentences of these events have their own subject. */
const impersonal: ReadonlySet<AuditEvent> = new Set<AuditEvent>([
  'ended',
  'expired',
  'alert firing',
  'alert resolved',
  'store set back',
]);

export const hasSubject = (entry: AuditEntry): boolean =>
  !impersonal.has(entry.event) && !isStepOfRollout(entry);

/** Bellhop proposes a request for each target of a rollout, in the name of the rollout's requester. */
const isStepOfRollout = ({ event, rollout }: AuditEntry): boolean =>
  event === 'proposed' && rollout !== undefined;

/** Groups the steps of each request, oldest first. The groups stay in the given order. @param entries newest or oldest first */
export function byRequest(entries: readonly AuditEntry[]): readonly (readonly AuditEntry[])[] {
  const groups = Map.groupBy(entries, ({ requestId, seq }) => requestId ?? seq);
  return [...groups.values()].map((group) =>
    group.toSorted((one, other) => one.at - other.at || one.seq - other.seq),
  );
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
