import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Database, Queries } from '../../src/store/database/database.ts';
import { openDatabase, type StoreLocation } from '../../src/store/open-store.ts';
import { lockHead } from '../../src/store/queries/audit.ts';
import { sealRound } from '../../src/store/queries/seal.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import { entryCount, expectIntact, keys, sealAll, sealedTables } from './contract/opened.ts';
import { aDraft, aProposal, aRequest, aStep } from './sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { commonPostgres } from '../common-postgres.ts';
import { createStore } from './open-store.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const notes = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => aDraft({ at: from + index, note: `note ${from + index}` }));

/** Fails the statement with this number, from 1. */
function failing(at: number): KyselyPlugin {
  let statements = 0;
  return {
    transformQuery({ node }) {
      statements += 1;
      if (statements === at) throw new Error(`statement ${at} fails`);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

/** How many statements it runs. */
async function statementsOf(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await work(through(database, counting));
  return statements;
}

/** The database, with a plugin for each of its statements. */
const through = (database: Database, plugin: KyselyPlugin): Database => ({
  ...database,
  read: (work) => database.read((queries) => work(queries.withPlugin(plugin))),
  note: (work) => database.note((queries) => work(queries.withPlugin(plugin))),
});

describe.each<[name: string, location: () => Promise<StoreLocation>]>([
  ['the embedded store', async () => ({ dataDir: folder })],
  ['PostgreSQL', async () => ({ databaseUrl: await commonPostgres.createDatabase() })],
])('sealing on %s', (_, location) => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase(await location());
  });
  afterEach(() => database.close());

  it('numbers entries in the order of their commits, and those of a request in that of its steps', async () => {
    const store = createStore(database);
    const request = aRequest();
    await store.propose(aProposal(request, { audit: [aDraft({ requestId: request.id, note: 'proposed' })] }));
    await sealAll(store);
    await store.record([aDraft({ note: 'between' })]);
    const audit = ['confirmed', 'started'].map((note) => aDraft({ requestId: request.id, note }));
    await store.advance(aStep(request, 'running', { audit }));
    await expectIntact(store);
    const entries = await store.auditFrom(0, 10);
    expect(entries.map(({ seq, note }) => [seq, note])).toEqual([
      [1, 'proposed'],
      [2, 'between'],
      [3, 'confirmed'],
      [4, 'started'],
    ]);
  });

  it.each(['done', 'succeeded'])(
    'tells where the end of a rollout is sealed that is recorded as %s',
    async (outcome) => {
      const store = createStore(database);
      const rollout = { each: ['tier=web'], pause: '2m', lines: [], index: 0, startedAt: 1 };
      const request = { ...aRequest(), state: 'succeeded' as const, rollout };
      const entry = (word: string) => aDraft({ requestId: request.id, outcome: word });
      await store.record([entry('running'), entry('paused'), entry('running'), entry(outcome)]);
      await sealAll(store);
      expect(await store.sealOf(request)).toEqual({ number: 4, checkpoint: 1 });
    },
  );

  it('tells where the end of a request is sealed that many clicks came too late for', async () => {
    const store = createStore(database);
    const request = { ...aRequest(), state: 'cancelled' as const };
    const end = aDraft({ requestId: request.id, outcome: 'cancelled' });
    const late = Array.from({ length: 25 }, () => ({ ...end, event: 'ignored click' as const }));
    await store.record([end, ...late]);
    await sealAll(store);
    expect(await store.sealOf(request)).toEqual({ number: 1, checkpoint: 1 });
  });

  it('tells where the step is sealed that led to the state of a request, once it is', async () => {
    const store = createStore(database);
    const request = aRequest();
    const entry = (outcome: string) => aDraft({ requestId: request.id, outcome });
    await store.propose(aProposal(request, { audit: [entry('proposed')] }));
    expect(await store.sealOf(request)).toBeUndefined();
    await sealAll(store);
    expect(await store.sealOf(request)).toEqual({ number: 1, checkpoint: 1 });
    await store.record([aDraft()]);
    await sealAll(store);
    const audit = [entry('cancelled'), entry('proposed'), aDraft({ outcome: 'cancelled' })];
    const cancelled = await store.advance(aStep(request, 'cancelled', { audit }));
    await sealAll(store);
    expect(cancelled && (await store.sealOf(cancelled))).toEqual({ number: 3, checkpoint: 3 });
    expect(await store.sealOf(request)).toEqual({ number: 1, checkpoint: 1 });
    await database.writeAlone(async (queries) => {
      for (const statement of disarm(database)) await sql.raw(statement).execute(queries);
      await sql.raw(`update audit set draft = 'x' where seq = 1`).execute(queries);
    });
    expect(await store.sealOf(request)).toEqual({ number: 4, checkpoint: 3 });
  });

  it('takes bounded rounds, each with a checkpoint, and tells whether more waits', async () => {
    const store = createStore(database);
    await store.record(notes(0, 700));
    await store.record(notes(700, 700));
    expect(await store.seal(keys, 5)).toMatchObject({
      checkpoint: { number: 1, size: 1000, at: 5 },
      more: true,
    });
    expect(await store.seal(keys, 6)).toMatchObject({ checkpoint: { number: 2, size: 1400 }, more: false });
    const last = await store.seal(keys, 7);
    expect(last).toMatchObject({ checkpoint: { number: 2 }, more: false });
    expect(await store.seal(keys, 8, { note: last?.checkpoint.note ?? '' })).toBeUndefined();
    await expectIntact(store);
  });

  it('does no harm at whatever statement it dies, and continues', async () => {
    const store = createStore(database);
    let statements = 0;
    for (let died = true; died; statements += 1) {
      await store.record(notes(1000 * statements, 300));
      const before = [await entryCount(store), await store.newestCheckpoint()];
      const round = await sealRound(through(database, failing(statements + 1)), keys, 0).catch(
        () => undefined,
      );
      died = round === undefined;
      const after = [await entryCount(store), round?.checkpoint ?? (await store.newestCheckpoint())];
      expect(after).toEqual([before[0], round?.checkpoint ?? before[1]]);
      await expectIntact(store);
    }
    expect(statements).toBe(database.dialect === 'postgres' ? 3 : 7);
  });

  it('writes nothing if an entry that it saw is gone', async () => {
    const store = createStore(database);
    await store.record(notes(0, 3));
    const losing: Database = {
      ...database,
      async note(work) {
        await database.note((queries) => queries.deleteFrom('audit_staged').where('at', '=', 1).execute());
        return database.note(work);
      },
    };
    await expect(sealRound(losing, keys, 0)).rejects.toBeInstanceOf(Error);
    expect(await store.newestCheckpoint()).toBeUndefined();
    await expectIntact(store);
    expect((await store.auditFrom(0, 10)).map(({ note }) => note)).toEqual(['note 0', 'note 2']);
  });

  it('takes as many statements whatever the size of the log', async () => {
    const store = createStore(database);
    const counts: number[] = [];
    for (const size of [64, 127, 600, 767]) {
      await store.record(notes(0, size - (await entryCount(store))));
      await sealAll(store);
      await store.record([aDraft()]);
      counts.push(await statementsOf(database, (counted) => sealRound(counted, keys, 0)));
    }
    await expectIntact(store);
    const [usual, withNode] = database.dialect === 'postgres' ? [2, 2] : [5, 6];
    expect(new Set(counts.toSpliced(-1))).toEqual(new Set([usual]));
    expect(counts.at(-1)).toBe(withNode);
  });

  it.each([
    ['of a smaller tree, by a version that knows none', async (edge: string) => edge],
    ['empty, by the migration', async () => ''],
    ['wrong', async () => 'ab'.repeat(3 * 32)],
    ['no hashes', async () => 'x'.repeat(3 * 64)],
  ])('reads the tree where the edge next to the head was left %s', async (__, leave) => {
    const store = createStore(database);
    await store.record(notes(0, 262));
    await sealAll(store);
    const { edge } = await database.read((queries) =>
      queries.selectFrom('audit_head').select('edge').executeTakeFirstOrThrow(),
    );
    await store.record(notes(262, 6));
    await sealAll(store);
    const left = await leave(edge);
    await database.writeAlone((queries) => queries.updateTable('audit_head').set({ edge: left }).execute());
    await store.record(notes(268, 4));
    await expectIntact(store);
  });

  it('continues after the clock was set back', async () => {
    const store = createStore(database);
    await store.record(notes(5000, 2));
    await store.seal(keys, 5000);
    await store.record(notes(10, 2));
    await store.seal(keys, 10);
    await expectIntact(store);
    expect((await store.audit({ limit: 10 })).map(({ at }) => at)).toEqual([11, 10, 5001, 5000]);
    expect((await store.audit({ since: 11, limit: 10 })).map(({ at }) => at)).toEqual([11, 5001, 5000]);
  });
});

const disarm = ({ dialect }: Database): readonly string[] =>
  dialect === 'postgres'
    ? sealedTables.map((table) => `alter table ${table} disable trigger user`)
    : sealedTables.flatMap((table) => [
        `drop trigger ${table}_is_never_changed`,
        `drop trigger ${table}_is_never_removed`,
      ]);

describe('sealers on PostgreSQL', () => {
  it('that meet take turns: one order, one tree, nothing twice', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const databases = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const stores = databases.map((one) => createStore(one));
    await Promise.all(
      stores.flatMap((store, replica) =>
        Array.from({ length: 30 }, async (_, turn) => {
          await store.record(notes(replica * 1000 + turn * 3, 3));
          await store.seal(keys, 0);
        }),
      ),
    );
    const [store] = stores;
    if (!store) throw new Error('no store');
    await expectIntact(store);
    const entries = await store.auditFrom(0, 1000);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 180 }, (_, index) => index + 1));
    expect(new Set(entries.map(({ note }) => note)).size).toBe(180);
    await Promise.all(databases.map((one) => one.close()));
  });

  it('of which one waits for the other write nothing that the other has sealed', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const [slow, quick] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const store = createStore(quick);
    await store.record(notes(0, 3));
    const sealed = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const first = slow.writeAlone(async (queries) => {
      const inside = async <T>(work: (on: Queries) => Promise<T>): Promise<T> => work(queries);
      await sealRound({ ...slow, read: inside, note: inside }, keys, 1);
      sealed.resolve(undefined);
      await commit.promise;
    });
    await sealed.promise;
    await store.record(notes(3, 2));
    // It has read the log, and waits for the lock on its head.
    const second = store.seal(keys, 2);
    const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect
      .poll(() => quick.read(async (queries) => (await waiting.execute(queries)).rows))
      .toHaveLength(1);
    commit.resolve(undefined);
    await first;
    expect(await second).toMatchObject({ checkpoint: { number: 2, size: 5 } });
    await expectIntact(store);
    const entries = await store.auditFrom(0, 10);
    expect(entries.map(({ note }) => note)).toEqual(notes(0, 5).map(({ note }) => note));
    await Promise.all([slow.close(), quick.close()]);
  });

  it('that are woken after another has sealed look once', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const [one, other] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const store = createStore(one);
    await store.record(notes(0, 70));
    const last = await sealRound(other, keys, 0);
    await store.record(notes(70, 300));
    await store.seal(keys, 1);
    const known = last && { note: last.checkpoint.note, edge: last.edge };
    const looked = await statementsOf(other, (counted) => sealRound(counted, keys, 2, known));
    expect(looked).toBe(1);
    await Promise.all([one.close(), other.close()]);
  });

  it('write nothing and block no one if no entry waits to be sealed', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const [busy, idle] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const store = createStore(idle);
    await store.record([aDraft()]);
    await sealAll(store);
    const sealed = await busy.writeAlone(async (queries) => {
      await lockHead(queries);
      return store.seal(keys, 0);
    });
    expect(sealed).toMatchObject({ checkpoint: { number: 1 }, more: false });
    await Promise.all([busy.close(), idle.close()]);
  });

  it('give an entry that commits late a later number', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const [slow, quick] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })];
    const [late, store] = [createStore(slow), createStore(quick)];
    const inserted = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const first = slow.writeAlone(async (queries: Queries) => {
      await queries
        .insertInto('audit_staged')
        .values({ draft: '{"at":1,"event":"read","note":"late","policyHash":"p"}', event: 'read', at: 1 })
        .execute();
      inserted.resolve(undefined);
      await commit.promise;
    });
    await inserted.promise;
    await store.record([aDraft({ note: 'quick' })]);
    await sealAll(store);
    commit.resolve(undefined);
    await first;
    await sealAll(late);
    expect((await store.auditFrom(0, 10)).map(({ seq, note }) => [seq, note])).toEqual([
      [1, 'quick'],
      [2, 'late'],
    ]);
    expect(await verifyAudit(store)).toEqual({ intact: true, size: 2 });
    await Promise.all([slow.close(), quick.close()]);
  });
});
