import { type Actor, listedActor, programTitle } from '../../model/values/actor.ts';
import type { AuditEntry } from '../../model/records/audit.ts';
import { type ReadContext, operation, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import type { Cell } from '../../model/values/report.ts';
import { given, itemCount, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import { nameOf, personText } from '../../bellhop/parts/input.ts';
import { sourceKinds } from '../../features/index.ts';
import { clockOf, periodText } from '../../text/local-time.ts';
import {
  byRequest,
  commandOf,
  entryOptions,
  entrySentence,
  findEntries,
  type FoundEntries,
  hasSubject,
} from './entry-sentence.ts';

const most = 200;

export const showAudit = operation({
  name: 'bellhop.audit',
  summary: 'Show who changed what, oldest first.',
  risk: 'read',
  input: z.strictObject({
    target: nameOf('a target', { most: 200 })
      .optional()
      .describe('Only entries for this target.')
      .meta({ placeholder: 'web-1' }),
    actor: personText.optional().describe('Only entries by this person.').meta({ placeholder: '@alice' }),
    request: nameOf('a request', { most: 64 })
      .startsWith('r-', 'must be the id of a request, such as r-…')
      .optional()
      .describe('Only entries for this request.')
      .meta({ placeholder: 'r-…' }),
    ...entryOptions('24h'),
  }),
  examples: ['/bellhop audit --last 4h', '/bellhop audit --target web-1 --actor @alice'],
  run({ target, actor, request, last, reads }, context: ReadContext<BellhopTarget>) {
    const { now, actor: asker } = context;
    const filter = {
      since: now - last,
      targetName: target,
      requestId: request,
      actor: actor === undefined ? undefined : listedActor(actor, asker.team),
    };
    return findEntries(context, filter, { reads, most });
  },
  report: ({ entries, whole, ...found }, { input: { reads } }) => ({
    title: `Audit, ${periodText(found.since, found.until, found.zone)}`,
    headline: itemCount(entries.length, 'entry', 'entries'),
    tables: tableOf(
      'Oldest first, the steps of a request together',
      texts('Time', 'Who', 'What', 'Where'),
      byRequest(entries).flat().map(rowsIn(found)),
      'sentences',
    ),
    notes: given(
      !whole && `These are the newest ${most} entries. Narrow it with --target, --actor or --last.`,
      !reads && 'Add --reads to include reads. The CSV has ids and rules.',
    ),
    newestLast: true,
    csv: { fileName: 'audit.csv', columns: csvColumns, rows: entries.map(csvRow) },
  }),
});

/** The times are in the zone of the heading, also for people in other zones with whom the answer is shared. */
function rowsIn(found: Omit<FoundEntries, 'entries'>): (entry: AuditEntry) => Cell[] {
  const { events, zone, inventory } = found;
  const local = clockOf(zone);
  return (entry) => [
    local(entry.at),
    !hasSubject(entry, events) ? '' : entry.actor ? whoOf(entry.actor) : 'Bellhop',
    entrySentence(entry, commandOf(entry, inventory), found),
    channelOf(entry),
  ];
}

const whoOf = (actor: Actor): Cell => programTitle(actor) ?? { person: actor.user };

function channelOf({ place }: AuditEntry): Cell {
  if (place === undefined) return '';
  return place.channel.startsWith('D') ? 'in private' : { channel: place.channel };
}

function whyOf(entry: AuditEntry): string {
  const { reason, error, note } = entry;
  const answers = sourceKinds.flatMap((kind) => kind.answers.of(entry) ?? []);
  return [reason ?? note ?? error ?? [], ...answers.map((one) => one.kind.words.answer(one))]
    .flat()
    .join('; ');
}

const csvColumns = [
  '#',
  'Time (UTC)',
  'Who',
  'What',
  'Operation',
  'Target',
  'Rule',
  'Outcome',
  'Request',
  'Why',
];

/** A row for programs has times in UTC, and people by id. */
const csvRow = (entry: AuditEntry): (string | number)[] => [
  entry.seq,
  new Date(entry.at).toISOString(),
  entry.actor?.user ?? 'Bellhop',
  entry.event,
  entry.operation ?? '',
  entry.target?.name ?? '',
  entry.rule ?? '',
  entry.outcome ?? '',
  entry.requestId ?? '',
  whyOf(entry),
];
