import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/store/database/database.ts';
import { openDatabase, openRecord } from '../../src/store/open-store.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { entryCount, expectIntact, sealAll } from './contract/opened.ts';
import { aDraft, aProposal, aRequest, aStep } from './sample-request.ts';
import { createStore, openStore } from './open-store.ts';
import { dueKind } from '../../src/model/records/due.ts';

let server: PostgresServer;
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());
beforeEach(async () => {
  databaseUrl = await server.createDatabase();
});

async function query(statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('replicas on PostgreSQL', () => {
  it('that start together on an empty database migrate it once', async () => {
    const stores = await Promise.all([
      openStore({ databaseUrl }),
      openStore({ databaseUrl }),
      openStore({ databaseUrl }),
      openStore({ databaseUrl }),
    ]);
    await Promise.all(stores.map((store) => store.record([aDraft()])));
    await expectIntact(stores[0]);
    expect(await entryCount(stores[0])).toBe(4);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('are refused after a newer version wrote to the database', async () => {
    await (await openStore({ databaseUrl })).close();
    await query("insert into schema_version values (99, '0099-later')");
    await expect(openStore({ databaseUrl })).rejects.toThrow(/written by a newer Bellhop \(schema 99/);
    await expect(openRecord({ databaseUrl })).rejects.toThrow(/written by a newer Bellhop/);
  });

  it('refuse changes in words for people while the server is away, and go on once it is back', async () => {
    const problems: unknown[] = [];
    const store = await openStore({ databaseUrl }, { onProblem: (problem) => problems.push(problem) });
    const request = aRequest();
    await store.propose(aProposal(request));
    await server.stop();
    await expect(store.advance(aStep(request, 'running'))).rejects.toMatchObject({
      code: 'store-unavailable',
      retryable: true,
      message:
        "The database server cannot be reached. Changes can't be recorded right now, so nothing was run. Try again in a moment.",
    });
    await expect(store.find(request.id)).rejects.toThrow(/cannot be reached. The store can't be read/);
    await expect(store.ping()).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(openStore({ databaseUrl })).rejects.toMatchObject({ code: 'store-unavailable' });
    await server.start();
    expect(await store.advance(aStep(request, 'running'))).toMatchObject({ state: 'running' });
    await expectIntact(store);
    expect(await entryCount(store)).toBe(1);
    expect(problems).not.toEqual([]);
    await store.close();
  });

  it('agree on when a lease is over, whatever their own clocks say', async () => {
    const store = await openStore({ databaseUrl });
    const hour = 3_600_000;
    const [behind, ahead] = [Date.now() - hour, Date.now() + hour];
    const request = aRequest();
    await store.propose(aProposal(request));
    const changes = { runner: 'claim-1' };
    const overdue = (now: number) => store.claimDue(new Map([[dueKind('deadline'), 10]]), now, 1000);
    await store.advance(aStep(request, 'running', { at: behind, leaseMs: 60_000, changes }));
    const ending = aStep({ ...request, state: 'running', version: 2 }, 'unknown', { at: ahead });
    expect(await overdue(ahead)).toEqual([]);
    expect(await store.advance({ ...ending, leaseOver: true })).toBeUndefined();
    expect(await store.renewLease(request.id, 'claim-1', 60_000, ahead)).toBe(true);
    expect(await overdue(ahead)).toEqual([]);
    await query('update requests set lease_until = lease_until - 120000');
    await query('update due set at = at - 120000');
    expect(await overdue(behind)).toMatchObject([{ key: request.id }]);
    expect(await store.renewLease(request.id, 'claim-1', 60_000, behind)).toBe(false);
    expect(await store.advance({ ...ending, at: behind, leaseOver: true })).toMatchObject({
      state: 'unknown',
    });
    await store.close();
  });

  it('find a request as the step leaves it that is under way', async () => {
    const [other, store] = [await openDatabase({ databaseUrl }), await openStore({ databaseUrl })];
    const request = aRequest();
    await store.propose(aProposal(request));
    const [written, goOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const underWay = other.write(async (queries) => {
      await queries.updateTable('requests').set({ note: 'late' }).where('id', '=', request.id).execute();
      written.resolve(undefined);
      await goOn.promise;
    });
    await written.promise;
    const committed = store.findCommitted(request.id);
    expect((await store.find(request.id))?.note).toBeUndefined();
    goOn.resolve(undefined);
    expect(await committed).toEqual({ ...request, note: 'late' });
    await underWay;
    await Promise.all([store.close(), other.close()]);
  });

  it('are not delayed by one that stops in the middle of a change', async () => {
    const still = await openDatabase({ databaseUrl });
    const store = await openStore({ databaseUrl });
    const never = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const stopped = still.write(async (queries) => {
      await queries.updateTable('audit_head').set({ seq: 7 }).execute();
      held.resolve(undefined);
      await never.promise;
    });
    await held.promise;
    await store.record([aDraft()]);
    await sealAll(store);
    expect(await store.newestCheckpoint()).toMatchObject({ size: 1 });
    never.resolve(undefined);
    await expect(stopped).rejects.toMatchObject({ code: 'store-unavailable' });
    await Promise.all([store.close(), still.close()]);
  });

  it('share a transaction for the steps that wait in one, and one that fails does not take the others with it', async () => {
    const database = await openDatabase({ databaseUrl });
    const transaction = (fails = false) =>
      database.write(async (queries) => {
        await queries.insertInto('deliveries').values({ key: randomUUID(), expires_at: 1 }).execute();
        if (fails) await sql`select 1 / 0`.execute(queries);
        const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(queries);
        return rows[0]?.id;
      });
    const [one, broken, other] = await Promise.allSettled([transaction(), transaction(true), transaction()]);
    expect(one).toMatchObject({ status: 'fulfilled' });
    expect(broken).toMatchObject({ status: 'rejected', reason: { cause: { message: 'division by zero' } } });
    expect(other).toEqual(one);
    const kept = await database.read((queries) => queries.selectFrom('deliveries').selectAll().execute());
    expect(kept).toHaveLength(2);
    await database.close();
  });

  it('do changes again that lost a deadlock, also one that shared its transaction', async () => {
    const [one, other] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const store = createStore(one);
    const [first, second] = [aRequest(), aRequest()];
    await store.propose(aProposal(first));
    await store.propose(aProposal(second));
    const both = Promise.withResolvers<undefined>();
    let holding = 0;
    const swap = (from: Database, ids: readonly string[]) =>
      from.write(async (queries) => {
        const [held = '', wanted = ''] = ids;
        const note = (id: string) =>
          queries.updateTable('requests').set({ note: held }).where('id', '=', id).execute();
        await note(held);
        holding += 1;
        if (holding === 2) both.resolve(undefined);
        await both.promise;
        await note(wanted);
      });
    await Promise.all([
      store.record([aDraft()]),
      swap(one, [first.id, second.id]),
      swap(other, [second.id, first.id]),
    ]);
    expect(holding).toBeGreaterThan(2);
    await expectIntact(store);
    expect(await entryCount(store)).toBe(1);
    await Promise.all([one.close(), other.close()]);
  });

  it.each([
    ['postgresql://bellhop:hunter2@[nonsense', 'configuration'],
    ['postgresql://bellhop:hunter2@127.0.0.1:1/none', 'store-unavailable'],
  ])('never show the password of %s', async (url, code) => {
    const problem: unknown = await openStore({ databaseUrl: url }).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code });
    expect(String(problem)).not.toContain('hunter2');
  });

  it.each([
    [(url: string) => url.replace('not-a-secret', 'wrong'), /refused the login/],
    [(url: string) => `${url}_none`, /does not exist/],
  ])('say what is wrong with DATABASE_URL', async (spoil, message) => {
    await expect(openStore({ databaseUrl: spoil(databaseUrl) })).rejects.toThrow(message);
  });
});
