import { leafHash, leafText } from '../../audit/tree/merkle.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createKinds } from './pack/changes.ts';
import type { Fault } from './pack/faults.ts';
import { type Manifest, selectionOf } from './pack/manifest.ts';
import { linesOf, type PackFiles } from './pack/pack-files.ts';
import { eachLeaf, packEntryOf, reasonLine } from './plan.ts';

/**
 * Compares a pack, which has been verified, with the log: what no hash shows, such as the kinds in numbers.csv, removed
 * reasons, and changes before and after the pack. Resolves to what is wrong, or to undefined.
 */
export async function compareWithLog(
  files: PackFiles,
  manifest: Manifest,
  log: Pick<AuditRecord, 'leavesFrom'>,
): Promise<Fault | undefined> {
  const { first, last } = manifest.entries;
  const selection = selectionOf(manifest);
  const { until } = selection;
  const kinds = createKinds(selection);
  const all = { begin: 1, last: Infinity };
  await eachLeaf(log, all, (leaf) => kinds.learn(packEntryOf(leaf)));
  const lines = linesOf(files, 'numbers.csv');
  const reasons = linesOf(files, 'reasons.jsonl');
  await lines.next();
  let wrong: Fault | undefined;
  await eachLeaf(log, all, async (leaf) => {
    const { number } = leaf;
    const { requestId = '', at } = packEntryOf(leaf);
    const kind = kinds.kindOf(requestId);
    if (number < first || number > last) {
      // A step of a change may be newer than the pack. A change of the period may not, if the log was sealed to its end.
      const isLate = at >= until || manifest.period.sealed_until !== undefined;
      if (kind === 'in' && (number < first || !isLate))
        wrong ??= {
          file: 'manifest.json',
          text: `Entry ${number} in the log belongs to a change of its period and filter, and the pack has only entries ${first} to ${last}.`,
        };
      return;
    }
    const line = (await lines.next())?.text;
    const hash = leafHash(leafText(number, leaf.draft)).toString('hex');
    if (line !== `${number},${hash},${kind}\r`)
      wrong ??= {
        file: 'numbers.csv',
        text: `Entry ${number} is not what it is in the log, where it counts as “${kind}”.`,
      };
    const typed = kind === 'in' ? reasonLine(leaf) : undefined;
    const written = typed && (await reasons.next())?.text;
    if (typed && 'text' in typed && written !== JSON.stringify(typed))
      wrong ??= {
        file: 'reasons.jsonl',
        text: `It omits the reason of entry ${number}, which the log has.`,
      };
  });
  return wrong;
}
