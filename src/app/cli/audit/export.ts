import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

import type { AuditEntry } from '../../../model/records/audit.ts';
import { errorCode } from '../../../model/values/errors.ts';
import { command, UsageError } from '../../../program/run-program.ts';
import { StoreUnavailableError } from '../../../store/database/database.ts';
import type { AuditRecord } from '../../../store/open-store.ts';
import { whereFrom, withLog } from './log-and-keys.ts';
import { events, features } from '../../../features/index.ts';
import type { Column, ExportFormat } from '../../../host/feature.ts';
import { type CsvCell, csvLine } from '../../../model/values/report.ts';

const pageLength = 1000;

/** In milliseconds, between looks for new entries with `--follow`. */
const pause = 1000;

const columns: Readonly<Record<string, Column>> = {
  seq: (entry) => entry.seq,
  at: (entry) => new Date(entry.at).toISOString(),
  event: (entry) => entry.event,
  actor_team: (entry) => entry.actor?.team,
  actor_user: (entry) => entry.actor?.user,
  place_team: (entry) => entry.place?.team,
  place_channel: (entry) => entry.place?.channel,
  operation: (entry) => entry.operation,
  input: (entry) => entry.input && JSON.stringify(entry.input),
  target_kind: (entry) => entry.target?.kind,
  target_name: (entry) => entry.target?.name,
  target_key: (entry) => entry.target?.key,
  target_labels: (entry) => entry.target && JSON.stringify(entry.target.labels),
  decision: (entry) => entry.decision,
  rule: (entry) => entry.rule,
  request_id: (entry) => entry.requestId,
  outcome: (entry) => entry.outcome,
  reason: (entry) => entry.reason,
  error: (entry) => entry.error,
  note: (entry) => entry.note,
  service_request_id: (entry) => entry.serviceRequestId,
  correlation_id: (entry) => entry.correlationId,
  policy_hash: (entry) => entry.policyHash,
  hash: (entry) => entry.hash,
};

const columnsOfFeatures = features.flatMap(({ exportColumns = {} }) => Object.entries(exportColumns));

/** The columns of features follow `request_id`, because their data is about that request. */
const allColumns: ReadonlyMap<string, Column> = new Map(
  Object.entries(columns).flatMap((column) =>
    column[0] === 'request_id' ? [column].concat(columnsOfFeatures) : [column],
  ),
);

const csvRow = (cells: readonly CsvCell[]): string => `${csvLine(cells)}\r\n`;

const formats: ReadonlyMap<string, ExportFormat> = new Map<string, ExportFormat>([
  ['ndjson', { line: (entry) => `${JSON.stringify(entry)}\n` }],
  [
    'csv',
    {
      header: csvRow([...allColumns.keys()]),
      line: (entry) => csvRow([...allColumns.values()].map((column) => column(entry))),
    },
  ],
  ...features.flatMap(({ exportFormats = {} }) => Object.entries(exportFormats)),
]);

interface Wanted {
  readonly from: number;
  readonly sealedOnly: boolean;
  readonly follow: boolean;
  /** Once aborted, the export ends after the current entries. */
  readonly stop: AbortSignal;
}

export const exportLog = command({
  summary: 'print all entries, oldest first, and new ones with --follow',
  help: `Usage: npm run audit -- export [--format ${[...formats.keys()].join('|')}] [--from <number>] [--follow]
Prints entries, oldest first, as one JSON object per line, or CSV. Unsealed ones come last, without a hash.
${[...formats.values()].flatMap(({ help }) => (help === undefined ? [] : [`  ${help}\n`])).join('')}  --from <number>   starts with this entry; to continue after entry 1042: --from 1043
  --follow          also prints new entries once they are sealed, until Ctrl-C; reconnects if the database restarts
${whereFrom}
Exit code: 0, or 2 if an entry cannot be read; "verify" says why.`,
  options: {
    format: { type: 'string', default: 'ndjson' },
    from: { type: 'string', default: '1' },
    follow: { type: 'boolean', default: false },
  },
  async run(values) {
    const format = formats.get(values.format);
    if (!format) throw new UsageError(`--format takes ${[...formats.keys()].join(', ')}.`);
    if (!/^[1-9]\d{0,14}$/u.test(values.from))
      throw new UsageError('--from must be the number of an entry, 1 or more.');
    const { follow } = values;
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    process.stdout.once('error', () => stop.abort());
    const sealedOnly = follow || format.sealedOnly === true;
    const wanted = { from: Number(values.from), sealedOnly, follow, stop: stop.signal };
    await withLog((log) => print(linesOf(format, pages(log, wanted))));
    return 0;
  },
});

/** A closed pipe is not an error, because its reader may stop early. */
async function print(lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(lines), process.stdout);
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
  }
}

async function* linesOf(
  { header, line }: ExportFormat,
  found: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<string> {
  if (header !== undefined) yield header;
  for await (const entries of found) yield entries.map((entry) => line(entry, events)).join('');
}

async function* pages(
  log: AuditRecord,
  { from, sealedOnly, follow, stop }: Wanted,
): AsyncGenerator<readonly AuditEntry[]> {
  const read = follow ? readPatiently : readPage;
  let after = from - 1;
  while (!stop.aborted) {
    const page = await read(log, after);
    const entries = sealedOnly ? page.filter(({ hash }) => hash !== undefined) : page;
    const last = entries.at(-1);
    if (last) {
      yield entries;
      after = last.seq;
    } else if (follow) {
      await setTimeout(pause, undefined, { signal: stop }).catch(() => undefined);
    } else {
      return;
    }
  }
}

const readPage = (log: AuditRecord, after: number): Promise<readonly AuditEntry[]> =>
  log.auditFrom(after, pageLength);

/** No entries while the database is down. Each failed attempt is reported. */
async function readPatiently(log: AuditRecord, after: number): Promise<readonly AuditEntry[]> {
  try {
    return await readPage(log, after);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    process.stderr.write(`Entries after ${after} can't be read now, retrying: ${error.message}\n`);
    return [];
  }
}
