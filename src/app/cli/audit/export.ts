import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { AuditEntry } from '../../../core/audit/audit.ts';
import { readOptions, UsageError } from '../../../program/run-program.ts';
import type { AuditRecord } from '../../../store/open-store.ts';
import { auditCsvHeader, auditCsvLine } from './audit-csv.ts';
import { type AuditCommand, whereFrom, withLog } from './command.ts';

const pageLength = 1000;

/** All entries, oldest first, sealed or not. */
export const exportLog: AuditCommand = {
  summary: 'print all entries, oldest first',
  help: `Usage: npm run audit -- export [--format ndjson|csv]
Prints all entries, oldest first: a JSON object a line, or CSV. Those not sealed yet come last, without a hash.
${whereFrom}
Exit code: 0, or 2 where an entry cannot be read; "verify" says why.`,
  async run(args) {
    const { values } = readOptions(args, { format: { type: 'string', default: 'ndjson' } });
    if (!['ndjson', 'csv'].includes(values.format)) throw new UsageError('--format takes ndjson or csv.');
    await withLog((log) =>
      pipeline(Readable.from(values.format === 'csv' ? csvLines(log) : ndjsonLines(log)), process.stdout),
    );
    return 0;
  },
};

async function* csvLines(log: AuditRecord): AsyncGenerator<string> {
  yield `${auditCsvHeader}\r\n`;
  for await (const entries of pages(log)) yield entries.map((entry) => `${auditCsvLine(entry)}\r\n`).join('');
}

async function* ndjsonLines(log: AuditRecord): AsyncGenerator<string> {
  for await (const entries of pages(log)) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

async function* pages(log: AuditRecord): AsyncGenerator<readonly AuditEntry[]> {
  let after = 0;
  for (;;) {
    const entries = await log.auditFrom(after, pageLength);
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    after = last.seq;
  }
}
