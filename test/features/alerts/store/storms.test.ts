import { Client } from 'pg';
import { beforeEach, afterEach, expect, it } from 'vitest';

import type { Fold } from '../../../../src/model/records/offer.ts';
import { StoreUnavailableError } from '../../../../src/store/database/database.ts';
import type { Store } from '../../../../src/store/store.ts';
import { received } from '../sample-alert.ts';
import { aProposal, aRequest, aStep } from '../../../store/sample-request.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { openStore } from '../../../store/open-store.ts';
import { dueKind } from '../../../../src/model/records/due.ts';

let databaseUrl: string;
let stores: readonly Store[];
let beside: Client;
beforeEach(async () => {
  databaseUrl = await commonPostgres.createDatabase();
  stores = [await openStore({ databaseUrl }), await openStore({ databaseUrl })];
  beside = new Client({ connectionString: databaseUrl });
  await beside.connect();
});
afterEach(async () => {
  await beside.end();
  await Promise.all(stores.map((store) => store.close()));
});

const hooks = Array.from({ length: 6 }, (_, at) => `hook-${at}`);

/** One group per hook for each number up to `groups`. The replicas take them in different orders. */
const storm = (store: Store, of: readonly string[], groups: number): readonly Promise<Fold>[] =>
  Array.from({ length: groups }, (_, at) =>
    of.map((hook) => store.foldOffer(received({ key: `group ${at}` }, { source: hook, at: 1000 + at }))),
  ).flat();

it('steps of requests do not wait for alerts whose hook has to wait for its turn', async () => {
  const [store] = stores;
  if (!store) throw new Error('no store');
  await store.foldOffer(received());
  await beside.query('begin');
  await beside.query("update alert_hooks set updated_at = 1 where hook = 'grafana'");
  const finished: string[] = [];
  const folds = Array.from({ length: 3 }, async (_, at) => {
    await store.foldOffer(received({ key: `group ${at}` }));
    finished.push('alert');
  });
  const requests = Array.from({ length: 20 }, () => aRequest());
  await Promise.all(
    requests.map(async (request) => {
      await store.propose(aProposal(request));
      await store.advance(aStep(request, 'running'));
      finished.push('step');
    }),
  );
  expect(finished).toEqual(requests.map(() => 'step'));
  await beside.query('commit');
  await Promise.all(folds);
  expect(finished).toHaveLength(23);
});

/** A server that is too busy refuses some of a storm. The sender sends it again. */
const orBusy = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    if (!(error instanceof StoreUnavailableError && error.retryable)) throw error;
  });
};

it('storms of several hooks on two replicas, while their messages are claimed, are no deadlock', async () => {
  const [one, other] = stores;
  if (!one || !other) throw new Error('no store');
  const storming = new AbortController();
  const claimed = new Set<string>();
  /** Repeats the work until the storm is over, and once after that. */
  const meanwhile = async (work: () => Promise<unknown>): Promise<void> => {
    for (let isOver = false; !isOver;) {
      isOver = storming.signal.aborted;
      await orBusy(work());
    }
  };
  const claim = async (store: Store): Promise<void> => {
    for (const { key } of await store.claimDue(new Map([[dueKind('alert'), 10]]), 5000, 0)) claimed.add(key);
  };
  const claims = stores.flatMap((store) => [
    meanwhile(() => claim(store)),
    meanwhile(() => store.removeOffers(0, 10)),
  ]);
  await Promise.all([...storm(one, hooks, 25), ...storm(other, hooks.toReversed(), 25)].map(orBusy));
  storming.abort();
  await Promise.all(claims);
  expect(claimed.size).toBeGreaterThan(0);
  // Statistics of a session are reported when it is idle or ends.
  await Promise.all(stores.map((store) => store.close()));
  const { rows } = await beside.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: '0' }]);
});
