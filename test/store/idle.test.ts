import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';

import { startPeriodic } from '../../src/app/jobs.ts';
import { systemClock } from '../../src/app/process/this-process.ts';
import { dueKind } from '../../src/model/records/due.ts';
import { openStore, type StoreLocation } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { commonPostgres } from '../common-postgres.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { dueQueue } from '../due/due-queue.ts';
import { silentLog } from '../log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { keys } from './contract/opened.ts';
import { aDraft } from './sample-request.ts';

const card = dueKind('card');
const limits = new Map([[card, 10]]);

/** The rounds of a replica's second. */
async function second(store: Store): Promise<void> {
  await Promise.all([
    store.endIfSetBack(Date.now()),
    dueQueue(store, systemClock, [{ kind: card, atOnce: 1, trouble: '', handle: unexpected }]).round(),
    store.seal(keys, Date.now()),
    store.ping(),
  ]);
}

const unexpected = () => Promise.reject(new Error('nothing is due'));

async function opened(location: StoreLocation): Promise<Store> {
  const store = await openStore(location);
  onTestFinished(() => store.close());
  // The first ping writes, and the first look records the store's home.
  await second(store);
  return store;
}

it('the rounds of an idle second cost PostgreSQL one statement', async () => {
  const store = await opened({ databaseUrl: await commonPostgres.createDatabase() });
  const query = vi.spyOn(Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  for (let seconds = 1; seconds <= 9; seconds += 1) {
    await second(store);
    expect(query).toHaveBeenCalledTimes(seconds);
  }
});

it('the embedded store is locked for a write once in ten idle seconds', async () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const store = await opened({ dataDir: temporaryFolder() });
  exec.mockClear();
  for (let seconds = 0; seconds < 20; seconds += 1) await second(store);
  expect(exec.mock.calls.filter(([text]) => text === 'begin immediate')).toHaveLength(2);
});

it('work that was recorded or made due in the same turn is found', async () => {
  const store = await opened({ dataDir: temporaryFolder() });
  await Promise.all([store.record([aDraft()]), store.setDue([{ kind: card, key: 'r-1', at: 1 }], 1)]);
  const [claimed, sealed] = await Promise.all([
    store.claimDue(limits, 1, 1000, true),
    store.seal(keys, 1),
    store.ping(),
  ]);
  expect(claimed).toMatchObject([{ kind: card, key: 'r-1' }]);
  expect(sealed?.checkpoint.size).toBe(1);
  expect(await store.newestCheckpoint()).toEqual(sealed?.checkpoint);
});

it('work written before the clock was set back is found', async () => {
  const store = await opened({ dataDir: temporaryFolder() });
  await store.setDue([{ kind: card, key: 'r-1', at: 9e6 }], 9e6);
  expect(await store.claimDue(limits, 1e6, 1000, true)).toMatchObject([{ key: 'r-1' }]);
});

it('no replica rests: once one is killed, another does its rounds within a second', async () => {
  const databaseUrl = await commonPostgres.createDatabase();
  const clock = createDrivenClock(Date.now());
  const handled: string[] = [];
  const replicas = await Promise.all(
    ['one', 'other'].map(async (name) => {
      const store = await opened({ databaseUrl });
      const handle = async ({ key }: { readonly key: string }) => {
        handled.push(`${name} ${key}`);
        return { done: true } as const;
      };
      const queue = dueQueue(store, clock, [{ kind: card, atOnce: 1, trouble: '', handle }]);
      const rounds: Promise<void>[] = [];
      const round = async (): Promise<void> => void rounds.push(queue.work());
      const stop = startPeriodic([{ name, everyMs: 1000, round }], { clock, log: silentLog });
      return { store, stop, ended: () => Promise.all(rounds) };
    }),
  );
  const [one, other] = replicas;
  await one?.ended();
  one?.stop();
  await other?.ended();
  await other?.store.setDue([{ kind: card, key: 'k', at: clock.now() }], clock.now());
  await clock.advance(1000);
  await other?.ended();
  expect(handled).toEqual(['other k']);
  other?.stop();
});
