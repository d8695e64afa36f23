import { Client } from 'pg';
import { expect, it } from 'vitest';

import { dueKind } from '../../src/model/records/due.ts';
import type { Request } from '../../src/model/records/request.ts';
import { openDatabase } from '../../src/store/open-store.ts';
import { commonPostgres } from '../common-postgres.ts';
import { aProposal, aRequest, aStep } from './sample-request.ts';
import { createStore, openStore } from './open-store.ts';

const kind = dueKind('ban');
const start = (request: Request) => ({
  ...aStep(request, 'running', { changes: { startedAt: 100 } }),
  check: { lasting: [{ kind, keys: [] }], of: [], admits: () => true },
});
const ban = { drafts: [{ kind, key: 'a', at: undefined, about: {} }], audit: [] };

/** Two replicas: one that starts a change, and one that begins something that forbids it. */
async function openReplicas() {
  const databaseUrl = await commonPostgres.createDatabase();
  const database = await openDatabase({ databaseUrl });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const [claimed, goOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const replicas = {
    slow: createStore({
      ...database,
      write: (work) =>
        database.write(async (queries) => {
          const done = await work(queries);
          claimed.resolve(undefined);
          await goOn.promise;
          return done;
        }),
    }),
    store: await openStore({ databaseUrl }),
    claimed: claimed.promise,
    goOn: () => goOn.resolve(undefined),
    run: (statement: string) => client.query<{ count: number }>(statement),
    close: async (): Promise<void> => {
      await client.end();
      await Promise.all([replicas.slow.close(), replicas.store.close()]);
    },
  };
  return replicas;
}

/** Resolves once so many sessions wait for a lock. */
async function waiting(run: (statement: string) => Promise<{ rows: readonly { count: number }[] }>) {
  const count = `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  for (;;) if ((await run(count)).rows[0]?.count === 1) return;
}

it('names a change that has claimed its row and commits while something begins that forbids it', async () => {
  const { slow, store, claimed, goOn, run, close } = await openReplicas();
  const request = aRequest();
  await store.propose(aProposal(request));
  const started = slow.advance(start(request));
  await claimed;
  await store.changeLasting(kind, 1, () => ban);
  const reconsidered = store.reconsider(() => true, 1);
  await waiting(run);
  goOn();
  expect(await started).toMatchObject({ state: 'running' });
  expect(await reconsidered).toMatchObject([{ id: request.id, state: 'running' }]);
  await close();
});

it('does not start a change that waits for its row with what it saw before', async () => {
  const { store, slow, goOn, run, close } = await openReplicas();
  const request = aRequest();
  await store.propose(aProposal(request));
  goOn();
  // As `reconsider` does, before it commits.
  await run('begin');
  await run(`update requests set version = version + 1 where id = '${request.id}'`);
  const started = slow.advance(start(request));
  await waiting((statement) => store.lasting(kind).then(() => run(statement)));
  await store.changeLasting(kind, 1, () => ban);
  await run('commit');
  expect(await started).toBeUndefined();
  expect(await store.reconsider(() => true, 1)).toEqual([]);
  await close();
});

it('does not start a change that is proposed after it begins', async () => {
  const { store, slow, goOn, close } = await openReplicas();
  goOn();
  await store.changeLasting(kind, 1, () => ban);
  expect(await store.reconsider(() => true, 1)).toEqual([]);
  const request = aRequest();
  await slow.propose(aProposal(request));
  expect(await slow.advance(start(request))).toBeUndefined();
  await close();
});
