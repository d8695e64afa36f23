import { hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseCheckpoint } from '../../audit/tree/checkpoint.ts';
import { leafText } from '../../audit/tree/merkle.ts';
import { formatContinuation, formatProof } from '../../audit/tree/proof-file.ts';
import { proveConsistency, proveInclusion } from '../../audit/tree/proofs.ts';
import { noteText, type VerifierKey } from '../../audit/tree/signed-note.ts';
import { cosigned } from '../../audit/verify/prove.ts';
import type { StoredLeaf } from '../../model/records/sealed-log.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createRows } from './pack/changes.ts';
import { csvHeader, csvRecord } from './pack/csv.ts';
import { formatManifest, type Manifest, mostProofs, packFormat } from './pack/manifest.ts';
import { eachLeaf, packEntryOf, type Plan, reasonLine } from './plan.ts';
import type { ShowProgress } from './progress.ts';
import { reasonOf } from './pack/read-entries.ts';
import { cosignaturesIn, keysText } from './pack/seals.ts';
import { numbersHeader } from './pack/verify-content.ts';

export interface PackParts extends Pick<Manifest, 'period' | 'filter' | 'people' | 'names' | 'rules'> {
  readonly plan: Plan;
  readonly keys: readonly VerifierKey[];
  /** index.html */
  readonly page: string;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly onProgress: ShowProgress;
}

/** Writes the files of a pack into an existing folder, except README.txt. */
export async function writePack(log: AuditRecord, folder: string, parts: PackParts): Promise<void> {
  const { plan, keys, page, now, period, filter, people, names, rules } = parts;
  const { first, last, begin } = plan;
  for (const name of ['proofs', 'checkpoints']) mkdirSync(join(folder, name));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const { count, changes, numbers } = await writeEntries(log, folder, parts);
  const [firstNote, lastNote] = [await cosigned(log, first), await cosigned(log, last)];
  write('checkpoints/first', firstNote);
  write('checkpoints/last', lastNote);
  const path = await proveConsistency(log.readHashes, first.size, last.size);
  write('proofs/consistency', formatContinuation({ from: first.size, path, checkpoint: lastNote }));
  if (numbers.length <= mostProofs)
    for (const number of numbers) {
      const index = number - 1;
      const inclusion = await proveInclusion(log.readHashes, index, last.size);
      write(`proofs/${number}.tlog-proof`, formatProof({ index, path: inclusion, checkpoint: lastNote }));
    }
  const manifest: Manifest = {
    format: packFormat,
    made: new Date(now).toISOString(),
    period,
    filter,
    people,
    names,
    entries: { first: begin, last: last.size },
    changes,
    count,
    checkpoints: { first: sealed(firstNote), last: sealed(lastNote) },
    rules,
  };
  write('manifest.json', formatManifest(manifest));
  write('keys.txt', keysText(keys));
  write('index.html', page);
}

function sealed(note: string): Manifest['checkpoints']['first'] {
  const { size } = parseCheckpoint(noteText(note));
  return { size, cosignatures: cosignaturesIn(note), sha256: hash('sha256', note) };
}

async function writeEntries(log: AuditRecord, folder: string, { plan, names, onProgress }: PackParts) {
  const { kinds, begin, last } = plan;
  const [lines, entries, reasons] = ['numbers.csv', 'entries.jsonl', 'reasons.jsonl'].map((name) =>
    createSink(join(folder, name)),
  );
  const rows = createRows(names);
  const count = { in: 0, change: 0, other: 0 };
  const numbers: number[] = [];
  lines?.write(`${numbersHeader}\n`);
  const add = (leaf: StoredLeaf): void => {
    onProgress(leaf.number - begin, last.size - begin);
    const entry = packEntryOf(leaf);
    const kind = kinds.kindOf(entry.requestId ?? '');
    count[kind] += 1;
    lines?.write(`${leaf.number},${leaf.hash},${kind}\r\n`);
    if (kind !== 'in') return;
    if (numbers.length <= mostProofs) numbers.push(leaf.number);
    entries?.write(`${leafText(leaf.number, leaf.draft)}\n`);
    const typed = reasonLine(leaf);
    if (typed) reasons?.write(`${JSON.stringify(typed)}\n`);
    rows.add(entry, typed ? reasonOf(typed) : '');
  };
  await eachLeaf(log, { begin, last: last.size }, add);
  const table = createSink(join(folder, 'changes.csv'));
  table.write(`${csvHeader}\n`);
  let changes = 0;
  for (const row of rows.rows()) {
    table.write(`${csvRecord(row)}\n`);
    changes += 1;
  }
  for (const sink of [lines, entries, reasons, table]) sink?.close();
  return { count, changes, numbers };
}

const fullAt = 1_000_000;

/** Writes a large file in pieces. */
function createSink(path: string) {
  const file = openSync(path, 'wx');
  let text = '';
  const flush = (): void => {
    writeFileSync(file, text);
    text = '';
  };
  return {
    write(more: string): void {
      text += more;
      if (text.length > fullAt) flush();
    },
    close(): void {
      flush();
      closeSync(file);
    },
  };
}
