import { describe, expect, it, onTestFinished } from 'vitest';

import { keepOwnKey, lastSealedFile } from '../../../../src/audit/own-files.ts';
import { createSealer } from '../../../../src/audit/seal.ts';
import { type NamedSigningKey, makeSigningKey } from '../../../../src/audit/tree/signing-key.ts';
import { formatVerifierKey, verifierOf } from '../../../../src/audit/tree/signed-note.ts';
import type { StoreLocation } from '../../../../src/store/open-store.ts';
import { callProgram } from '../../../call-program.ts';
import { createDrivenClock } from '../../../driven-clock.ts';
import { sealAll } from '../../../store/contract/opened.ts';
import { aDraft } from '../../../store/sample-request.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { silentLog } from '../../../log.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { openStore } from '../../../store/open-store.ts';

interface Stage {
  readonly dataDir: string;
  readonly location: StoreLocation;
  readonly key: NamedSigningKey;
}

/** Seals this many entries with this key. */
async function sealed(location: StoreLocation, key: NamedSigningKey, entries: number): Promise<string> {
  const store = await openStore(location);
  await store.record(Array.from({ length: entries }, () => aDraft()));
  await sealAll(store, 0, [key]);
  const newest = await store.newestCheckpoint();
  await store.close();
  if (!newest) throw new Error('nothing was sealed');
  return newest.note;
}

/** The state of the log when the bot stops sealing it, and the reason. */
const reasons: readonly [name: string, prepare: (stage: Stage) => Promise<unknown>, why: string][] = [
  [
    'whose key was replaced',
    ({ location, key }) => sealed(location, makeSigningKey(key.name), 2),
    'Checkpoint 1 of the audit log is not signed by a key of this replica',
  ],
  [
    'that a backup set back',
    async ({ location, dataDir, key }) => {
      await sealed(location, key, 2);
      const before = await sealed({ dataDir: temporaryFolder() }, key, 5);
      await lastSealedFile(dataDir).keep(before);
    },
    'The audit log was rolled back: this replica has sealed 5 entries, but the log has 2',
  ],
];

describe.each(['embedded', 'PostgreSQL'])('npm run audit -- adopt-log, %s', (kind) => {
  async function stage() {
    const dataDir = temporaryFolder();
    const { key } = keepOwnKey(dataDir);
    const databaseUrl = kind === 'embedded' ? '' : await commonPostgres.createDatabase();
    const location: StoreLocation = databaseUrl === '' ? { dataDir } : { databaseUrl };
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    const run = (...args: readonly string[]) => callProgram('audit', args, env, dataDir);
    /** Seals one more entry, as a bot does. */
    const sealOn = async (): Promise<void> => {
      const store = await openStore(location);
      onTestFinished(() => store.close());
      await store.record([aDraft()]);
      const file = lastSealedFile(dataDir);
      const sealer = createSealer({ store, keys: [key], file, clock: createDrivenClock(), log: silentLog });
      try {
        await sealer.seal();
      } finally {
        await store.close();
      }
    };
    return { location, dataDir, key, run, sealOn };
  }

  it.each(reasons)(
    'lets the keys of this installation continue a log %s, and records that',
    async (_, prepare, why) => {
      const { run, sealOn, ...rest } = await stage();
      await prepare(rest);
      await expect(sealOn()).rejects.toThrow(why);
      const adopted = await run('adopt-log', '--reason', 'the disk was replaced');
      expect(adopted).toMatchObject({ code: 0, err: '' });
      expect(adopted.out).toMatch(/^Adopted: checkpoint 2 of 4 entries is signed with the local keys\.\n$/u);
      await sealOn();
      const { out } = await run('export');
      const entries = out
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(entries.at(-2)).toMatchObject({
        event: 'log adopted',
        reason: 'the disk was replaced',
        note: `Adopted at checkpoint 1. ${why}.`,
        input: { checkpoint: 1, found: { entries: 2 } },
      });
      const key = formatVerifierKey(verifierOf(rest.key, rest.key.name));
      const verified = await run('verify', '--key', key, '--unsigned-until', '1');
      expect(verified).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^Reading [^\n]+\.\n$/u) as string,
      });
      const again = await run('adopt-log', '--reason', 'twice');
      expect(again.out).toBe('The audit log matches what was sealed here. Nothing to adopt.\n');
    },
  );
});

it('verify compares the log with what the replica of its data directory has sealed', async () => {
  const dataDir = temporaryFolder();
  const { key } = keepOwnKey(dataDir);
  await sealed({ dataDir }, key, 2);
  const before = await sealed({ dataDir: temporaryFolder() }, key, 5);
  const verify = () => callProgram('audit', ['verify'], { DATA_DIR: dataDir }, dataDir);
  expect(await verify()).toMatchObject({ code: 0 });
  await lastSealedFile(dataDir).keep(before);
  expect(await verify()).toMatchObject({
    code: 1,
    out: 'The audit log is broken: entries 3 to 5 were removed from the end.\n',
  });
});
