import { Client } from 'pg';
import { expect, it } from 'vitest';

import { dueKind } from '../../src/model/records/due.ts';
import type { Request } from '../../src/model/records/request.ts';
import { commonPostgres } from '../common-postgres.ts';
import { aProposal, aRequest, aStep } from './sample-request.ts';
import { openStore } from './open-store.ts';

const kind = dueKind('ban');
const start = (request: Request) => ({
  ...aStep(request, 'running', { changes: { startedAt: 100 } }),
  check: { lasting: [{ kind, keys: [] }], of: [], admits: () => true },
});
const ban = { drafts: [{ kind, key: 'a', at: undefined, about: {} }], audit: [] };

/** Two replicas: one that starts a change, and one that begins something that forbids it. */
async function openReplicas() {
  const databaseUrl = await commonPostgres.createDatabase();
  const [slow, store] = [await openStore({ databaseUrl }), await openStore({ databaseUrl })];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    slow,
    store,
    run: (statement: string) => client.query<{ count: number }>(statement),
    close: async (): Promise<void> => {
      await client.end();
      await Promise.all([slow.close(), store.close()]);
    },
  };
}

/** Resolves once this many sessions wait for a lock. */
async function waiting(
  run: (statement: string) => Promise<{ rows: readonly { count: number }[] }>,
  most = 1,
) {
  const count = `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  for (;;) if ((await run(count)).rows[0]?.count === most) return;
}

it('names a change that has claimed its row and commits while something begins that forbids it', async () => {
  const { slow, store, run, close } = await openReplicas();
  const request = aRequest();
  await store.propose(aProposal(request));
  // The start has claimed its row, and waits for the row of its card.
  await run('begin');
  await run(`select 1 from due where key = '${request.id}' for update`);
  const started = slow.advance(start(request));
  await waiting(run);
  await store.changeLasting(kind, 1, () => ban);
  const reconsidered = store.reconsider(() => true, 1);
  await waiting(run, 2);
  await run('commit');
  expect(await started).toMatchObject({ state: 'running' });
  expect(await reconsidered).toMatchObject([{ id: request.id, state: 'running' }]);
  await close();
});

it('does not start a change that waits for its row with what it saw before', async () => {
  const { store, slow, run, close } = await openReplicas();
  const request = aRequest();
  await store.propose(aProposal(request));
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
  const { store, slow, close } = await openReplicas();
  await store.changeLasting(kind, 1, () => ban);
  expect(await store.reconsider(() => true, 1)).toEqual([]);
  const request = aRequest();
  await slow.propose(aProposal(request));
  expect(await slow.advance(start(request))).toBeUndefined();
  await close();
});
