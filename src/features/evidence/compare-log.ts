import { leafHash, leafText } from '../../audit/tree/merkle.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createKinds } from './pack/changes.ts';
import { createFaults, type Fault } from './pack/faults.ts';
import { type Manifest, selectionOf } from './pack/manifest.ts';
import { numbersLine } from './pack/numbers.ts';
import type { PackFiles } from './pack/pack-files.ts';
import { reasonOfLeaf, lineOfReason } from './pack/reasons.ts';
import { leavesOf, packEntryOf } from './plan.ts';

/**
 * Finds what no hash shows: wrong kinds in numbers.csv, reasons that the log still has, and changes before or after the pack. Resolves to
 * the first fault, or to an empty list.
 */
export async function compareWithLog(
  files: PackFiles,
  manifest: Manifest,
  log: Pick<AuditRecord, 'leavesFrom'>,
): Promise<readonly Fault[]> {
  const { first, last } = manifest.entries;
  const selection = selectionOf(manifest);
  const kinds = createKinds(selection);
  for await (const leaf of leavesOf(log)) kinds.learn(packEntryOf(leaf));
  const faults = createFaults(files);
  const [lines, reasons] = [faults.lines('numbers.csv'), faults.lines('reasons.jsonl')];
  await lines.next();
  for await (const leaf of leavesOf(log)) {
    const { number } = leaf;
    const entry = packEntryOf(leaf);
    const kind = kinds.kindOf(entry);
    if (number >= first && number <= last) {
      const hash = leafHash(leafText(number, leaf.draft)).toString('hex');
      if ((await lines.next())?.text !== numbersLine(number, hash, kind))
        faults.add('numbers.csv', `Entry ${number} differs from the log, which counts it as “${kind}”.`);
      const reason = kind === 'in' ? reasonOfLeaf(leaf) : undefined;
      const written = reason && (await reasons.next());
      if (reason && 'text' in reason && written?.text !== lineOfReason(reason))
        faults.add('reasons.jsonl', `It omits the reason of entry ${number}, which the log has.`);
      continue;
    }
    // An entry may be newer than the pack in two cases: it is from after the period, or the log was not yet sealed to the end of the
    // period.
    const isLate =
      number > last && (entry.at >= selection.until || manifest.period.sealed_until !== undefined);
    if (kind === 'in' && !isLate)
      faults.add(
        'manifest.json',
        `Entry ${number} in the log belongs to a change of this period and filter, but the pack has only entries ${first} to ${last}.`,
      );
  }
  return faults.found.slice(0, 1);
}
