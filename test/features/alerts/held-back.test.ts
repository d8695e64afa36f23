import { afterEach, beforeEach, expect, it } from 'vitest';

import { createHeldHandler } from '../../../src/features/alerts/group/receive.ts';
import { alertmanagerBody } from '../../alertmanager-body.ts';
import { dueQueue, type TestQueue } from '../../due/due-queue.ts';
import { type HookServer, openHooks } from './sources/hook-server.ts';

// An alert that fires again with its old start, within 45 seconds after its end.

let stage: HookServer;
let queue: TestQueue;
beforeEach(async () => {
  stage = await openHooks();
  const { store, clock, rulebook } = stage;
  const ids = { correlation: () => 'held' };
  const context = { store, clock, ids, rulebook: () => rulebook, ownTeam: 'T0LOCAL' };
  queue = dueQueue(store, clock, [createHeldHandler(context)]);
});
afterEach(() => stage.close());

const own = 'https://alertmanager.example';
const report = (status: 'firing' | 'resolved', externalURL = own) =>
  stage.post('grafana', alertmanagerBody([{ status }], { externalURL }));

async function pass(seconds: number): Promise<void> {
  await stage.clock.advance(seconds * 1000);
  await queue.work();
}

/** Fires, ends a minute later, and fires again after ten seconds. */
async function firesAgain(from = own): Promise<void> {
  await report('firing');
  await pass(60);
  await report('resolved');
  await pass(10);
  await report('firing', from);
}

const firing = async () => (await stage.store.firingOffers(10)).length;

it('is shown as firing once the 45 seconds are over, in a message of its own', async () => {
  await firesAgain();
  await pass(34);
  expect(await firing()).toBe(0);
  await pass(1);
  expect(await firing()).toBe(1);
  const [shown] = await stage.store.firingOffers(10);
  expect(shown?.message.id).toBe('a-held');
  await report('resolved');
  await pass(60);
  expect(await firing()).toBe(0);
});

it('stays resolved if its end is reported again, or if only another sender reports it', async () => {
  await firesAgain();
  await pass(10);
  await report('resolved');
  await pass(60);
  expect(await firing()).toBe(0);

  await firesAgain('https://peer.example');
  await pass(60);
  expect(await firing()).toBe(0);
});

it('is shown once if its sender insists, and is then resolved as usual', async () => {
  await firesAgain();
  await pass(10);
  await report('firing');
  expect(await firing()).toBe(1);
  await pass(5);
  await report('resolved');
  await pass(60);
  expect(await firing()).toBe(0);
});
