import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createSealer } from '../../src/app/jobs/seal.ts';
import type { LogKeys } from '../../src/core/audit/sealed-log.ts';
import { makeSigningKey } from '../../src/core/transparency/signing-key.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { aDraft } from '../store/sample-request.ts';

const keys: LogKeys = [makeSigningKey('bellhop.test/audit')];

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellhop-sealer-'));
  store = await openStore({ dataDir });
});
afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

it('seals what is recorded soon after, entries that come together in one round', async () => {
  const clock = createDrivenClock();
  const sealer = createSealer({ store, keys: () => keys, clock, log: silent });
  for (let turn = 0; turn < 5; turn += 1) {
    await store.record([aDraft()]);
    sealer.wake();
  }
  await clock.advance(500);
  await expect.poll(() => store.newestCheckpoint()).toMatchObject({ number: 1, size: 5 });
  await sealer.close();
});

it('seals all that waits, in as many rounds as it takes, and what is left at its end', async () => {
  const clock = createDrivenClock();
  const sealer = createSealer({ store, keys: () => keys, clock, log: silent });
  await store.record(Array.from({ length: 1500 }, () => aDraft()));
  await sealer.seal();
  expect(await store.newestCheckpoint()).toMatchObject({ number: 2, size: 1500 });
  await store.record([aDraft()]);
  await sealer.close();
  expect(await store.newestCheckpoint()).toMatchObject({ size: 1501 });
});

it('leaves what it could not seal to the next round, and says so when it ends', async () => {
  const clock = createDrivenClock();
  const warn = vi.fn<(fields: object, message: string) => void>();
  let full = true;
  const sealer = createSealer({
    store: { seal: (...given) => (full ? Promise.reject(new Error('full')) : store.seal(...given)) },
    keys: () => keys,
    clock,
    log: { ...silent, warn },
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
