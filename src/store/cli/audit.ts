import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { AuditEntry } from '../../core/audit/audit.ts';
import { type Program, readOptions, runProgram, UsageError } from '../../program/run-program.ts';
import { auditCsvHeader, auditCsvLine } from './audit-csv.ts';
import { type AuditRecord, openRecord } from '../open-store.ts';
import { verifyAudit } from './verify-audit.ts';

const program: Program = {
  command: 'npm run audit --',
  // 1 says that the record is broken.
  failureCode: 2,
  help: `Usage: npm run audit -- verify
       npm run audit -- export [--format ndjson|csv]
Reads the record from DATABASE_URL, or from DATA_DIR (.data), also while Bellhop runs.`,
};

const pageLength = 1000;

async function auditProgram(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { format: { type: 'string', default: 'ndjson' } }, true);
  const [command] = positionals;
  if (command !== 'verify' && command !== 'export') {
    throw new UsageError('Say what to do: verify or export.');
  }
  if (!['ndjson', 'csv'].includes(values.format)) throw new UsageError('--format takes ndjson or csv.');
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = process.env;
  const record = await openRecord(databaseUrl ? { databaseUrl } : { dataDir: dataDir || '.data' });
  try {
    return command === 'verify' ? await verify(record) : await exportTo(record, values.format);
  } finally {
    await record.close();
  }
}

async function verify(record: AuditRecord): Promise<number> {
  const began = performance.now();
  const verdict = await verifyAudit(record);
  if (!verdict.intact) {
    process.stdout.write(`The record is broken at entry ${verdict.seq}: ${verdict.why}.\n`);
    return 1;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`The audit log is intact: ${verdict.size} entries in ${seconds} s.\n`);
  return 0;
}

async function exportTo(record: AuditRecord, format: string): Promise<number> {
  const lines = format === 'csv' ? csvLines(record) : ndjsonLines(record);
  await pipeline(Readable.from(lines), process.stdout);
  return 0;
}

async function* csvLines(record: AuditRecord): AsyncGenerator<string> {
  yield `${auditCsvHeader}\r\n`;
  for await (const entries of pages(record))
    yield entries.map((entry) => `${auditCsvLine(entry)}\r\n`).join('');
}

async function* ndjsonLines(record: AuditRecord): AsyncGenerator<string> {
  for await (const entries of pages(record))
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

async function* pages(record: AuditRecord): AsyncGenerator<readonly AuditEntry[]> {
  let after = 0;
  for (;;) {
    const entries = await record.auditFrom(after, pageLength);
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    after = last.seq;
  }
}

await runProgram(program, auditProgram);
