import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';

import type { Store } from '../../src/store/store.ts';
import { openStates } from '../../src/model/records/request.ts';
import type { HeldClick } from '../../src/model/values/pass.ts';
import { anOffer } from './sample-offer.ts';
import { aProposal, aRequest } from './sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { alice } from '../people.ts';
import { openStore } from './open-store.ts';
import { deliveryKind } from '../../src/model/ports.ts';
import { dueKind } from '../../src/model/records/due.ts';

let dataDir: string;
let store: Store;
let database: DatabaseSync;
const click: HeldClick = {
  requestId: 'r-1',
  version: 1,
  action: 'approve',
  actor: alice,
  place: { team: alice.team, channel: 'C0OPS' },
  correlationId: 'c-1',
};
const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');

beforeAll(async () => {
  dataDir = temporaryFolder();
  store = await openStore({ dataDir });
  const waiting = { actor: alice, channel: 'C0OPS', what: 'your click', at: 1 };
  await store.claimOnce('d-0', 1, 1, { by: 'me', now: 1, forMs: 1, waiting });
  database = new DatabaseSync(join(dataDir, 'bellhop.db'));
});
afterAll(async () => {
  prepared.mockRestore();
  database.close();
  await store.close();
});

/** The query plans of SQLite for the statements that were prepared since then. */
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
  [
    'what is due',
    (all) =>
      all.claimDue(
        new Map([
          [dueKind('card'), 10],
          [dueKind('notice'), 5],
        ]),
        5,
        1,
      ),
  ],
  ['whether anything is to do', (all) => all.claimDue(new Map([[dueKind('card'), 10] as const]), 5, 1, true)],
  ['deliveries that have gone silent', (all) => all.claimDue(new Map([[deliveryKind, 10]]), 5, 1, true)],
  ['deliveries that are held', (all) => all.holdDeliveries(['d-1', 'd-2'], 5, 5)],
  [
    'deliveries that are closed',
    (all) => all.closeDeliveries(['d-1', 'd-2'].map((key) => ({ key, by: 'a' }))),
  ],
  ['open requests', (all) => all.list({ states: openStates, limit: 10 })],
  [
    'the next page of open requests',
    (all) => all.list({ states: openStates, before: { createdAt: 5, id: 'r-1' }, limit: 10 }),
  ],
  ['what is proposed', (all) => all.propose(aProposal(aRequest()))],
  ['requests of a person', (all) => all.list({ requester: alice, limit: 10 })],
  ['requests of a target', (all) => all.list({ targetKey: 'k', limit: 10 })],
  ['changes started lately', (all) => all.started([{ since: 5, limit: 5 }])],
  ['changes of a target started lately', (all) => all.started([{ since: 5, targetKey: 'k', limit: 5 }])],
  ['what waits, counted', (all) => all.tally(5)],
  ['what may be removed', (all) => all.removeSettled(5, 10)],
  ['a message about alerts', (all) => all.findOffer('a-1')],
  ['what a hook tells', (all) => all.foldOffer(anOffer())],
  ['alerts that may be removed', (all) => all.removeOffers(5, 10)],
  ['older sign-in links', (all) => all.addSignIn('token', click, 5, 1)],
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
    // The count of everything that is due scans an index that has nothing else.
    found.filter((step) =>
      /^SCAN (?!due USING COVERING INDEX)(?:requests|sign_ins|deliveries|reviews|due|audit|later)\b/u.test(
        step,
      ),
    ),
  ).toEqual([]);
  // A search by kind alone would read all rows of a kind, which may be all rows.
  expect(found.filter((step) => step.endsWith('due_by_time (kind=?)'))).toEqual([]);
});
