import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { lastSealedCheckpoint, lastSealedFile } from '../../../../src/audit/own-files.ts';
import { createSealer } from '../../../../src/audit/seal.ts';
import { canonical } from '../../../../src/model/records/audit.ts';
import { openCheckpoint } from '../../../../src/audit/tree/checkpoint.ts';
import { createTree, leafHash, leafText } from '../../../../src/audit/tree/merkle.ts';
import { openNote } from '../../../../src/audit/tree/signed-note.ts';
import type { Store } from '../../../../src/store/store.ts';
import { verifyAudit } from '../../../../src/audit/verify/verify-audit.ts';
import { openDatabase, type StoreLocation } from '../../../../src/store/open-store.ts';
import { createDrivenClock } from '../../../driven-clock.ts';
import { keys, verifiers } from '../../../store/contract/opened.ts';
import { createStore, openStore } from '../../../store/open-store.ts';
import { aDraft } from '../../../store/sample-request.ts';
import { covers, honest, sealedAt, ways } from './insider.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { silentLog } from '../../../log.ts';
import { commonPostgres } from '../../../common-postgres.ts';

let migrated: string;
beforeAll(async () => {
  migrated = await commonPostgres.createDatabase();
  await (await openStore({ databaseUrl: migrated })).close();
});

/** A database, and a bot that only seals. `restarted` starts a bot that knows only the content of a data directory. */
async function stage(location: StoreLocation) {
  const database = await openDatabase(location);
  onTestFinished(() => database.close());
  const store = createStore(database);
  const dataDir = temporaryFolder();
  const start = (from = dataDir) =>
    createSealer({ store, keys, file: lastSealedFile(from), clock: createDrivenClock(), log: silentLog });
  const running = start();
  for (const [at, end] of sealedAt.entries()) {
    await store.record(honest.slice(at === 0 ? 0 : sealedAt[at - 1], end));
    await running.seal();
  }
  return { database, store, running, restarted: start, dataDir };
}

/** The key must vouch for the true log, even if entries were added to it. */
async function expectTrueRoots(store: Store): Promise<void> {
  const added = (await store.leavesFrom(honest.length, 100)).map(({ draft }) => draft);
  const roots = new Map<number, string>();
  const tree = createTree();
  for (const draft of [...honest.map((one) => canonical(one)), ...added]) {
    tree.append(leafHash(leafText(tree.size + 1, draft)));
    roots.set(tree.size, tree.root().toString('hex'));
  }
  for (const { note } of await store.checkpointsFrom(undefined, 100)) {
    if (openNote(note, verifiers).signatures.length === 0) continue;
    const { size, root } = openCheckpoint(note, verifiers);
    expect([size, root.toString('hex')]).toEqual([size, roots.get(size)]);
  }
}

const attacks = Object.keys(ways).flatMap((way) => Object.keys(covers).map((cover) => ({ way, cover })));

describe.each<[name: string, location: () => Promise<StoreLocation>]>([
  ['the embedded store', async () => ({ dataDir: temporaryFolder() })],
  ['PostgreSQL', async () => ({ databaseUrl: await commonPostgres.createDatabase(migrated) })],
])('someone with every right on %s and without the key', (_, location) => {
  it.each(attacks)('who $way, $cover, gets neither signature nor verdict', async ({ way, cover }) => {
    const { database, store, running, restarted, dataDir } = await stage(await location());
    const expectFound = async (): Promise<void> => {
      await expectTrueRoots(store);
      const own = lastSealedCheckpoint(dataDir);
      const handed = own ? [own] : [];
      expect(await verifyAudit(store, { keys: verifiers, handed })).toMatchObject({ intact: false });
    };
    await covers[cover]?.(database, ways[way] ?? []);
    await expectFound();
    // A bot with an empty data directory has only the signature and the tree to rely on. It cannot notice that an older
    // checkpoint was put back, so it is not tested with those covers.
    const forgetful = cover.startsWith('under') ? [restarted(temporaryFolder())] : [];
    for (const bot of [...forgetful, restarted(), running]) {
      await store.record([aDraft({ note: 'the next command' })]);
      await bot.seal().catch(() => undefined);
      await expectFound();
    }
  });
});

it('a running replica detects a rewritten log that another replica, without its memory, was made to sign', async () => {
  const location = { databaseUrl: await commonPostgres.createDatabase(migrated) };
  const { database, store, running } = await stage(location);
  await covers['back at an older checkpoint, for the bot to seal the rest']?.(
    database,
    ways['edits an entry'] ?? [],
  );
  const file = lastSealedFile(temporaryFolder());
  await createSealer({ store, keys, file, clock: createDrivenClock(), log: silentLog }).seal();
  expect(await store.newestCheckpoint()).toMatchObject({ size: honest.length });
  await expect(running.seal()).rejects.toThrow(
    'is not consistent with the 12 entries that this replica has sealed',
  );
});
