import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { lastSealedFile } from '../../src/audit/own-files.ts';
import { createSealer } from '../../src/audit/seal.ts';
import { type LogKeys, makeSigningKey } from '../../src/audit/tree/signing-key.ts';
import { SealingStopped } from '../../src/model/records/sealed-log.ts';
import type { Store } from '../../src/store/store.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { aDraft } from '../store/sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { silentLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';

const keys: LogKeys = [makeSigningKey('bellhop.test/audit')];

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = temporaryFolder();
  store = await openStore({ dataDir });
});
afterEach(() => store.close());

it('seals new entries soon, and entries that arrive together in one round', async () => {
  const clock = createDrivenClock();
  const sealer = createSealer({ store, keys, file: lastSealedFile(dataDir), clock, log: silentLog });
  for (let turn = 0; turn < 5; turn += 1) {
    await store.record([aDraft()]);
    sealer.wake();
  }
  await clock.advance(500);
  await expect.poll(() => store.newestCheckpoint()).toMatchObject({ number: 1, size: 5 });
  await sealer.close();
});

it('seals all waiting entries, in several rounds if needed, and the rest at shutdown', async () => {
  const clock = createDrivenClock();
  const sealer = createSealer({ store, keys, file: lastSealedFile(dataDir), clock, log: silentLog });
  await store.record(Array.from({ length: 1500 }, () => aDraft()));
  await sealer.seal();
  expect(await store.newestCheckpoint()).toMatchObject({ number: 2, size: 1500 });
  await store.record([aDraft()]);
  await sealer.close();
  expect(await store.newestCheckpoint()).toMatchObject({ size: 1501 });
});

it('the sealer leaves entries that it could not seal to the next round, and says so when it ends', async () => {
  const clock = createDrivenClock();
  const warn = vi.fn<(fields: object, message: string) => void>();
  let full = true;
  const sealer = createSealer({
    store: { seal: (...given) => (full ? Promise.reject(new Error('full')) : store.seal(...given)) },
    keys,
    file: lastSealedFile(dataDir),
    clock,
    log: { ...silentLog, warn },
  });
  await store.record([aDraft()]);
  sealer.wake();
  await clock.advance(500);
  await expect(sealer.seal()).rejects.toThrow('full');
  await sealer.close();
  expect(warn).toHaveBeenCalledOnce();
  full = false;
  await sealer.seal();
  expect(await store.newestCheckpoint()).toMatchObject({ size: 1 });
});

it('the sealer stops sealing a log that differs from the one it sealed, says so once, and continues once it matches again', async () => {
  const error = vi.fn<(fields: object, message: string) => void>();
  const onSealed = vi.fn<(stopped: Error | undefined) => void>();
  let foreign = false;
  const sealer = createSealer({
    store: { seal: (by, ...rest) => store.seal(foreign ? [makeSigningKey('elsewhere')] : by, ...rest) },
    keys,
    file: lastSealedFile(dataDir),
    clock: createDrivenClock(),
    log: { ...silentLog, error },
    onSealed,
  });
  await store.record([aDraft()]);
  await sealer.seal();
  foreign = true;
  await store.record([aDraft()]);
  for (let round = 0; round < 2; round += 1) await expect(sealer.seal()).rejects.toThrow(SealingStopped);
  expect(error).toHaveBeenCalledOnce();
  expect(onSealed).toHaveBeenLastCalledWith(expect.any(SealingStopped));
  expect(await store.newestCheckpoint()).toMatchObject({ size: 1 });
  foreign = false;
  await sealer.seal();
  expect(onSealed).toHaveBeenLastCalledWith(undefined);
  expect(await store.newestCheckpoint()).toMatchObject({ size: 2 });
});

it('the sealer does not start if its last sealed checkpoint cannot be read', async () => {
  writeFileSync(join(dataDir, 'audit-sealed'), 'x');
  const file = lastSealedFile(dataDir);
  expect(() => createSealer({ store, keys, file, clock: createDrivenClock(), log: silentLog })).toThrow(
    `The last checkpoint that this replica sealed is unreadable: ${join(dataDir, 'audit-sealed')} is not a checkpoint. Verify the log with a published checkpoint (npm run audit -- verify --checkpoint FILE), then remove the file.`,
  );
});

it('a record that belongs to another user is not to be removed, but given to this user', () => {
  writeFileSync(join(dataDir, 'audit-sealed'), 'x');
  chmodSync(dataDir, 0o000);
  const module = JSON.stringify(new URL('../../src/audit/own-files.ts', import.meta.url).href);
  const script = `const { lastSealedCheckpoint } = await import(${module});
    try { lastSealedCheckpoint(process.argv[1]); } catch (error) { console.log(error.message); }`;
  // Root may read everything.
  const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    ...stranger,
    encoding: 'utf8',
  });
  chmodSync(dataDir, 0o700);
  expect(stdout).toMatch(
    /audit-sealed can't be read by this user \(\d+\)\. Set DATA_DIR .*: chown --recursive \d+ /u,
  );
  expect(stdout).not.toContain('remove');
});
