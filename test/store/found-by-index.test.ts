import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';

import type { Store } from '../../src/store/store.ts';
import { openStates } from '../../src/model/request.ts';
import { openStore } from '../../src/store/open-store.ts';
import { received } from './sample-alert.ts';
import { alice } from './sample-request.ts';

let dataDir: string;
let store: Store;
let database: DatabaseSync;
const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bellhop-index-'));
  store = await openStore({ dataDir });
  database = new DatabaseSync(join(dataDir, 'bellhop.db'));
});
afterAll(async () => {
  prepared.mockRestore();
  database.close();
  await store.close();
  await rm(dataDir, { recursive: true });
});

/** How SQLite goes about each statement that was prepared since. */
function steps(): readonly string[] {
  const statements = prepared.mock.calls.map(([statement]) => statement);
  return statements.flatMap((statement) =>
    z
      .array(z.object({ detail: z.string() }))
      .parse(database.prepare(`explain query plan ${statement}`).all())
      .map(({ detail }) => detail),
  );
}

it.each<[what: string, look: (store: Store) => Promise<unknown>]>([
  ['what is due', (all) => all.due(5, 10)],
  ['cards that are behind', (all) => all.claimStaleCards(5, 1, 10)],
  ['open requests', (all) => all.list({ states: openStates, limit: 10 })],
  ['requests of a person', (all) => all.list({ requester: alice, limit: 10 })],
  ['requests of a target', (all) => all.list({ targetKey: 'k', limit: 10 })],
  ['changes started lately', (all) => all.startedSince(5)],
  ['what waits, counted', (all) => all.tally()],
  ['what may be removed', (all) => all.removeSettled(5, 10)],
  ['reviews to be told of', (all) => all.claimReviews(5, 1, 10)],
  ['alerts that are behind', (all) => all.claimAlertMessages(5, 1, 10)],
  ['a message about alerts', (all) => all.findAlertMessage('a-1')],
  ['what a hook tells', (all) => all.foldAlerts(received())],
  ['alerts that may be removed', (all) => all.removeAlerts(5, 10)],
  ['notices to be told', (all) => all.claimNotices(5, 1, 10)],
  ['targets to be looked at', (all) => all.claimWatches(5, 1, 10)],
  ['payloads that were left', (all) => all.claimOrphanedDeliveries(5, 1, 10)],
  ['entries of a person', (all) => all.audit({ actor: alice, limit: 10 })],
  ['entries about a target', (all) => all.audit({ targetName: 'web-1', limit: 10 })],
  ['entries of a request', (all) => all.audit({ requestId: 'r-1', limit: 10 })],
  ['entries since a time', (all) => all.audit({ since: 5, limit: 10 })],
])('%s: found by an index, not by a look at every row', async (_, look) => {
  prepared.mockClear();
  await look(store);
  const found = steps();
  expect(found).toContainEqual(expect.stringMatching(/^SEARCH /u));
  expect(
    found.filter((step) => /^SCAN (?:requests|deliveries|reviews|notices|watches|audit|later)\b/u.test(step)),
  ).toEqual([]);
});
