import { hash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { leafText } from '../../audit/tree/merkle.ts';
import { formatContinuation, formatProof } from '../../audit/tree/proof-file.ts';
import { proveConsistency, proveInclusion } from '../../audit/tree/proofs.ts';
import type { VerifierKey } from '../../audit/tree/signed-note.ts';
import { cosigned } from '../../audit/verify/prove.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createRows } from './pack/changes.ts';
import { csvHeader, csvRecord } from './pack/csv.ts';
import { formatManifest, type Manifest, mostProofs, packFormat } from './pack/manifest.ts';
import { numbersHeader, numbersLine } from './pack/numbers.ts';
import { proofName } from './pack/read-entries.ts';
import { reasonOfLeaf, lineOfReason, typedIn } from './pack/reasons.ts';
import { cosignaturesIn, keysText } from './pack/seals.ts';
import { leavesOf, packEntryOf, type Plan } from './plan.ts';
import type { ShowProgress } from './progress.ts';

export interface PackParts extends Pick<Manifest, 'made' | 'people' | 'names' | 'rules'> {
  readonly plan: Plan;
  readonly keys: readonly VerifierKey[];
  /** The text of index.html. */
  readonly page: string;
}

/** The folder must exist. Writes no README.txt. */
export async function writePack(
  log: AuditRecord,
  folder: string,
  { plan, keys, page, ...claimed }: PackParts,
  onProgress: ShowProgress,
): Promise<void> {
  const { first, last, begin, period, filter } = plan;
  for (const name of ['proofs', 'checkpoints']) mkdirSync(join(folder, name));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const { numbers, ...counted } = await writeEntries(log, folder, plan, claimed.names, onProgress);
  const [firstNote, lastNote] = [await cosigned(log, first), await cosigned(log, last)];
  write('checkpoints/first', firstNote);
  write('checkpoints/last', lastNote);
  const path = await proveConsistency(log.readHashes, first.size, last.size);
  write('proofs/consistency', formatContinuation({ from: first.size, path, checkpoint: lastNote }));
  if (numbers.length <= mostProofs)
    for (const number of numbers) {
      const index = number - 1;
      const inclusion = await proveInclusion(log.readHashes, index, last.size);
      write(proofName(number), formatProof({ index, path: inclusion, checkpoint: lastNote }));
    }
  const keyText = keysText(keys);
  const manifest: Manifest = {
    ...claimed,
    ...counted,
    format: packFormat,
    period,
    filter,
    entries: { first: begin, last: last.size },
    checkpoints: { first: sealed(first.size, firstNote), last: sealed(last.size, lastNote) },
    keys: { sha256: hash('sha256', keyText) },
  };
  write('manifest.json', formatManifest(manifest));
  write('keys.txt', keyText);
  write('index.html', page);
}

const sealed = (size: number, note: string): Manifest['checkpoints']['first'] => ({
  size,
  cosignatures: cosignaturesIn(note),
  sha256: hash('sha256', note),
});

async function writeEntries(
  log: AuditRecord,
  folder: string,
  { kinds, begin, last }: Plan,
  names: Manifest['names'],
  onProgress: ShowProgress,
) {
  const sink = (name: string) => createSink(join(folder, name));
  const [lines, entries] = [sink('numbers.csv'), sink('entries.jsonl')];
  const [reasons, table] = [sink('reasons.jsonl'), sink('changes.csv')];
  const rows = createRows(names);
  const count = { in: 0, change: 0, other: 0 };
  const numbers: number[] = [];
  lines.write(numbersHeader);
  for await (const leaf of leavesOf(log, begin, last.size)) {
    const { number } = leaf;
    onProgress(number - begin, last.size - begin);
    const entry = packEntryOf(leaf);
    const kind = kinds.kindOf(entry);
    count[kind] += 1;
    lines.write(numbersLine(number, leaf.hash, kind));
    if (kind !== 'in') continue;
    if (numbers.length <= mostProofs) numbers.push(number);
    entries.write(leafText(number, leaf.draft));
    const reason = reasonOfLeaf(leaf);
    if (reason) reasons.write(lineOfReason(reason));
    rows.add(entry, reason ? typedIn(reason) : '');
  }
  table.write(csvHeader);
  let changes = 0;
  for (const row of rows.rows()) {
    table.write(csvRecord(row));
    changes += 1;
  }
  for (const each of [lines, entries, reasons, table]) each.flush();
  return { count, changes, numbers };
}

const fullAt = 1_000_000;

/** In pieces, because the file may be large. */
function createSink(path: string) {
  let text = '';
  const flush = (): void => {
    appendFileSync(path, text);
    text = '';
  };
  return {
    write(line: string): void {
      text += `${line}\n`;
      if (text.length > fullAt) flush();
    },
    flush,
  };
}
