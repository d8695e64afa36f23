import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Store } from '../../src/store/store.ts';
import { cleanUp } from '../../src/app/jobs.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { entryCount } from '../store/contract/opened.ts';
import { aProposal, aRequest, aStep } from '../store/sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { silentLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { cardKind } from '../../src/model/records/due.ts';

const day = 24 * 60 * 60_000;

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = temporaryFolder();
  store = await openStore({ dataDir });
});
afterEach(() => store.close());

async function settled(createdAt: number, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const request = aRequest({ createdAt });
    await store.propose(aProposal(request));
    await store.advance(aStep(request, 'cancelled'));
    const card = { kind: cardKind, key: request.id, version: 2, claimedAt: 0 };
    await store.finishDue(card, { done: true }, 0);
  }
}

/** Runs the sweep of two replicas that are both due. The clock runs while they pause. */
async function round(clock: ReturnType<typeof createDrivenClock>): Promise<readonly number[]> {
  const removed: number[] = [];
  const parts = { store, clock, log: silentLog, keepMs: () => 90 * day };
  const replicas = [1, 2].map(() =>
    cleanUp({ ...parts, onRemoved: (requests) => void removed.push(requests) }),
  );
  const rounds = Promise.all(replicas).then(() => 'over');
  while ((await Promise.race([rounds, clock.advance(20)])) !== 'over');
  return removed;
}

it('one replica’s clean-up removes requests that ended more than 90 days ago, and keeps the audit log', async () => {
  const clock = createDrivenClock();
  await settled(clock.now() - 91 * day, 230);
  await settled(clock.now() - 89 * day, 3);
  const before = await entryCount(store);
  expect(await round(clock)).toEqual([230]);
  expect(await store.list({ limit: 300 })).toHaveLength(3);
  expect(await entryCount(store)).toEqual(before);
});

it('the clean-up has its next turn a minute later', async () => {
  const clock = createDrivenClock();
  expect(await round(clock)).toEqual([]);
  await settled(clock.now() - 91 * day, 1);
  expect(await round(clock)).toEqual([]);
  await clock.advance(60_000);
  expect(await round(clock)).toEqual([1]);
});
