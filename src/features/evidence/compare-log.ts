import { leafHash, leafText } from '../../audit/tree/merkle.ts';
import { pagesOf } from '../../audit/verify/verify-checkpoints.ts';
import type { StoredLeaf } from '../../model/records/sealed-log.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createKinds } from './pack/changes.ts';
import { type Manifest, selectionOf } from './pack/manifest.ts';
import { linesOf, type PackFiles } from './pack/pack-files.ts';
import { entryOf } from './plan.ts';

/**
 * Compares each line of numbers.csv, which has been verified, with the log: its kind, too, which no hash shows. Resolves
 * to what is wrong, or to undefined.
 */
export async function compareWithLog(
  files: PackFiles,
  manifest: Manifest,
  log: Pick<AuditRecord, 'leavesFrom'>,
): Promise<string | undefined> {
  const { first, last } = manifest.entries;
  const kinds = createKinds(selectionOf(manifest));
  await eachLeaf(log, first, last, (leaf) => kinds.learn(entryOf(leaf)));
  const lines = linesOf(files, 'numbers.csv');
  await lines.next();
  let wrong: string | undefined;
  await eachLeaf(log, first, last, async (leaf) => {
    const line = (await lines.next())?.text;
    const hash = leafHash(leafText(leaf.number, leaf.draft)).toString('hex');
    const kind = kinds.kindOf(entryOf(leaf).requestId ?? '');
    if (line !== `${leaf.number},${hash},${kind}\r`)
      wrong ??= `Entry ${leaf.number} is another one in the log, where it is “${kind}”.`;
  });
  return wrong;
}

async function eachLeaf(
  log: Pick<AuditRecord, 'leavesFrom'>,
  first: number,
  last: number,
  look: (leaf: StoredLeaf) => void | Promise<void>,
): Promise<void> {
  for await (const page of pagesOf((after, limit) => log.leavesFrom(after ?? first - 1, limit)))
    for (const leaf of page) {
      if (leaf.number > last) return;
      await look(leaf);
    }
}
