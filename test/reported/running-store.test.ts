import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Queries } from '../../src/store/database/database.ts';
import { openDatabase, openRecord, type StoreLocation } from '../../src/store/open-store.ts';
import { startByteRelay } from '../byte-relay.ts';
import { commonPostgres } from '../common-postgres.ts';
import { aDraft } from '../store/sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { openStore } from '../store/open-store.ts';

// Faults that users of other programs on PostgreSQL have reported, tried on the store.

/** A database with a table of numbers, and a relay before it. */
async function behindRelay(reset?: (chunk: Buffer) => boolean) {
  const direct = await commonPostgres.createDatabase();
  const relay = await startByteRelay(direct, reset);
  onTestFinished(() => relay.close());
  const client = new Client({ connectionString: direct });
  await client.connect();
  onTestFinished(() => client.end());
  return { direct, relay, client, databaseUrl: relay.urlOf(direct) };
}

const ways = ['write', 'writeAlone', 'note', 'read', 'snapshot'] as const;
type Way = (typeof ways)[number] | 'writeInTurn';

const warm = async (databaseUrl: string) => {
  const store = await openStore({ databaseUrl });
  onTestFinished(() => store.close());
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  await Promise.all(all.map(() => store.record([aDraft()])));
  await Promise.all(all.map(() => store.find('none')));
  return store;
};

describe('connections that a NAT gateway has dropped without a word (pgx, HikariCP, node-postgres)', () => {
  it('cost at most one failed try each, and no second wait', async () => {
    const { databaseUrl, relay } = await behindRelay();
    const store = await warm(databaseUrl);
    const before = relay.opened();
    relay.stall();
    const tries = await Promise.allSettled([
      store.record([aDraft()]),
      store.find('none'),
      store.find('none'),
      store.claimOnce('a delivery', 0, 1000),
    ]);
    // A single statement may have been committed, so it is not repeated. A read is.
    const [, one, other] = tries.map(({ status }) => status);
    expect([one, other]).toEqual(['fulfilled', 'fulfilled']);
    // The rest of the dead ones, never tried, are not used again.
    for (let n = 0; n < 12; n += 1) await store.record([aDraft()]);
    for (let n = 0; n < 12; n += 1) await store.find('none');
    await store.ping();
    expect(relay.opened()).toBeGreaterThan(before);
  });

  it('are found by the check of /readyz, which writes', async () => {
    const { databaseUrl, client } = await behindRelay();
    const store = await openStore({ databaseUrl });
    onTestFinished(() => store.close());
    const written = async (): Promise<unknown> => {
      const { rows } = await client.query('select count(*) from deliveries');
      return rows[0];
    };
    const none = await written();
    await store.ping();
    expect(await written()).not.toEqual(none);
    await client.query('alter table deliveries add constraint nothing check (expires_at > 1) not valid');
    const tenPings = async (): Promise<void> => {
      for (let ping = 0; ping < 10; ping += 1) await store.ping();
    };
    await expect(tenPings()).rejects.toMatchObject({ code: 'store-unavailable' });
    await client.query('alter table deliveries drop constraint nothing');
    await store.ping();
  });
});

const numbers = async (client: Client): Promise<unknown> => {
  const { rows } = await client.query('select array_agg(n order by n) as all from numbers');
  return rows[0];
};
const insert = (n: number) => sql`insert into numbers values (${n})`;

describe('sessions that hang on a server', () => {
  it.each([
    ['its database', 'alter database %D set default_transaction_read_only', 'alter database %D reset all'],
    [
      'its login',
      'alter role bellhop in database %D set default_transaction_read_only',
      'alter role bellhop in database %D reset all',
    ],
  ])(
    'that became read-only, by %s, are replaced, and the work runs once (Aurora, Patroni)',
    async (_, lose, mend) => {
      const { databaseUrl, client } = await behindRelay();
      await client.query('create table numbers (n int)');
      const database = await openDatabase({ databaseUrl });
      const name = new URL(databaseUrl).pathname.slice(1);
      onTestFinished(() => database.close());
      await client.query(`${lose.replace('%D', name)} = on`);
      // Sessions that began during the fail-over.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await expect
        .poll(() => database.read((queries) => sql`select 1`.execute(queries)).then(() => 'read', String))
        .toBe('read');
      await expect(database.write((queries) => insert(0).execute(queries))).rejects.toThrow('read-only');
      // Each read opens a session while the server is read-only.
      await Promise.all([1, 2, 3].map(() => database.read((queries) => sql`select 1`.execute(queries))));
      await client.query(mend.replace('%D', name));
      await database.write((queries) => insert(1).execute(queries));
      await Promise.all([
        database.write((queries) => insert(2).execute(queries)),
        database.write((queries) => insert(3).execute(queries)),
        database.writeAlone((queries) => insert(4).execute(queries)),
        database.note((queries) => insert(5).execute(queries)),
        database.writeInTurn('a', (queries) => insert(6).execute(queries)),
      ]);
      expect(await numbers(client)).toEqual({ all: [1, 2, 3, 4, 5, 6] });
    },
  );

  const endings = {
    'an administrator has terminated (57P01)': (pid: number) => sql`select pg_terminate_backend(${pid})`,
    'ended because they were idle in a transaction (25P03)': () =>
      sql`set local idle_in_transaction_session_timeout = 1`,
  } as const;
  const inTransactions = ['write', 'writeAlone', 'writeInTurn'] as const;
  const combined = Object.entries(endings).flatMap(([name, end]) =>
    inTransactions.map((way) => [name, way, end] as const),
  );

  it.each(combined)(
    'that %s in the middle of %s are replaced, and the work runs once',
    async (_, way, end) => {
      const { databaseUrl, client } = await behindRelay();
      await client.query('create table numbers (n int)');
      const database = await openDatabase({ databaseUrl });
      onTestFinished(() => database.close());
      const isGone = async (pid: number): Promise<boolean> =>
        (await client.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows.length === 0;
      let runs = 0;
      const work = async (queries: Queries): Promise<void> => {
        runs += 1;
        await insert(runs).execute(queries);
        if (runs === 1) {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries);
          const pid = rows[0]?.pid ?? 0;
          await end(pid)
            .execute(queries)
            .catch(() => undefined);
          await until(() => isGone(pid));
        }
        await insert(runs * 10).execute(queries);
      };
      const inOneGroup = [100, 200].map((n) => database.write((queries) => insert(n).execute(queries)));
      await (way === 'writeInTurn' ? database.writeInTurn('a', work) : database[way](work));
      await Promise.all(inOneGroup);
      expect(await numbers(client)).toEqual({ all: [2, 20, 100, 200] });
    },
  );

  it.each([
    ['write', 'commit\0'],
    ['writeAlone', 'commit\0'],
    ['writeInTurn', 'commit\0'],
    ['note', 'insert into numbers'],
  ] satisfies readonly (readonly [Way, string])[])(
    'that are lost while %s commits do not run the work again: no one can tell whether it was committed',
    async (way, last) => {
      let cutting = false;
      const { databaseUrl, client } = await behindRelay((chunk) => cutting && chunk.includes(last));
      await client.query('create table numbers (n int)');
      const database = await openDatabase({ databaseUrl });
      onTestFinished(() => database.close());
      let runs = 0;
      const work = async (queries: Queries): Promise<void> => {
        runs += 1;
        await insert(runs).execute(queries);
      };
      cutting = true;
      const asked = way === 'writeInTurn' ? database.writeInTurn('a', work) : database[way](work);
      await expect(asked).rejects.toMatchObject({ code: 'store-unavailable' });
      expect(runs).toBe(1);
      cutting = false;
      await database.write(async (queries) => void (await insert(7).execute(queries)));
      expect(runs).toBe(1);
    },
  );
});

describe('a pooler between (PgBouncer with its defaults, RDS Proxy, Odyssey)', () => {
  const settings = sql<{ all: string }>`select string_agg(name || '=' || setting, ' ' order by name) as all
    from pg_settings where name in ('enable_seqscan', 'idle_in_transaction_session_timeout', 'jit', 'lock_timeout', 'statement_timeout')`;
  const ours =
    'enable_seqscan=off idle_in_transaction_session_timeout=2000 jit=off lock_timeout=4000 statement_timeout=5000';

  it('gets no start-up parameter but those that every pooler knows', async () => {
    const { databaseUrl, relay } = await behindRelay();
    const database = await openDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    await database.write((queries) => sql`select 1`.execute(queries));
    for (const greeting of relay.greetings) {
      // Length and version of the protocol, then names and values.
      const words = greeting.subarray(8).toString().split('\0');
      const names = words.filter((_, at) => at % 2 === 0 && words[at] !== '');
      expect(names.toSorted()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
    }
  });

  it('may give each transaction another session: the settings hold all the same', async () => {
    const { databaseUrl } = await behindRelay();
    const database = await openDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    const read = () => database.read((queries) => settings.execute(queries));
    expect((await read()).rows).toEqual([{ all: ours }]);
    await Promise.all(ways.map((way) => database[way]((queries) => sql`reset all`.execute(queries))));
    for (const way of ['write', 'writeAlone'] as const) {
      await database.note((queries) => sql`reset all`.execute(queries));
      const { rows } = await database[way](async (queries) => settings.execute(queries));
      expect(rows).toEqual([{ all: ours }]);
    }
  });
});

it('commits are flushed, although the database has synchronous_commit = off, as guides to tuning advise', async () => {
  const { databaseUrl, client } = await behindRelay();
  const name = new URL(databaseUrl).pathname.slice(1);
  await client.query(`alter database ${name} set synchronous_commit = off`);
  const database = await openDatabase({ databaseUrl });
  onTestFinished(() => database.close());
  for (const way of ways) {
    const { rows } = await database[way]((queries) => sql`show synchronous_commit`.execute(queries));
    expect([way, rows]).toEqual([way, [{ synchronous_commit: 'on' }]]);
  }
});

describe('a store that another state of the code made, under the same schema number (Grafana, Flyway)', () => {
  const older = /written by an older Bellhop.* start with an empty store/su;
  const unnamed = "update schema_version set name = '0001-first'";
  const cases: readonly (readonly [string, readonly string[], RegExp | undefined])[] = [
    ['lacks two columns', [unnamed, 'alter table requests drop column paused_at'], older],
    ['lacks a table', [unnamed, 'drop table sign_ins'], older],
    ['has a column under another name', [unnamed, 'alter table due rename column since to begun'], older],
    ['has another hash', ["update schema_version set name = '0001-first 0123456789abcdef'"], older],
    ['has its columns, but no hash', [unnamed], undefined],
    ['has a column more, as of a newer version', ['alter table requests add column later text'], undefined],
  ];

  it.each(cases.flatMap((one) => [['PostgreSQL', ...one] as const, ['the embedded store', ...one] as const]))(
    'on %s, which %s, is refused at the start, or works',
    async (kind, _, edits, refused) => {
      const location: StoreLocation =
        kind === 'PostgreSQL'
          ? { databaseUrl: await commonPostgres.createDatabase() }
          : { dataDir: temporaryFolder() };
      const first = await openDatabase(location);
      for (const edit of edits) await first.write((queries) => sql.raw(edit).execute(queries));
      await first.close();
      for (const open of [openStore, openRecord]) {
        const opened = open(location).then((store) => store.close(), String);
        expect((await opened) ?? 'works').toMatch(refused ?? /^works$/u);
      }
    },
  );
});

describe('a database with an encoding that cannot hold every letter (Zabbix, Gitea)', () => {
  it.each(['LATIN1', 'SQL_ASCII', 'WIN1252', 'EUC_JP'])('%s is refused at the start', async (encoding) => {
    const server = await commonPostgres.createDatabase();
    const client = new Client({ connectionString: server });
    await client.connect();
    const name = `${new URL(server).pathname.slice(1)}_${encoding.toLowerCase()}`;
    await client.query(`create database ${name} template template0 encoding '${encoding}' locale 'C'`);
    await client.end();
    const databaseUrl = new URL(name, server).href;
    const problem = String(await openStore({ databaseUrl }).catch((error: unknown) => error));
    expect(problem).toContain(`its encoding is ${encoding}`);
    expect(problem).toContain(`createdb --template=template0 --encoding=UTF8`);
    expect(problem).not.toContain('not-a-secret');
  });
});

describe('a data directory that can be entered, but not used (Grafana, Vaultwarden)', () => {
  it.each<[string, (dataDir: string) => Promise<unknown>, RegExp]>([
    [
      'whose lock is not a database',
      (dataDir) => writeFile(join(dataDir, 'bellhop.lock'), 'not a database at all'.repeat(100)),
      /is not a database/u,
    ],
    [
      'whose file for the pid cannot be written',
      (dataDir) => mkdir(join(dataDir, 'bellhop.pid')),
      /disk of the data directory has I\/O errors/u,
    ],
  ])('%s is not “in use”', async (_, spoil, right) => {
    const dataDir = temporaryFolder();
    await spoil(dataDir);
    const problem: unknown = await openStore({ dataDir }).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'store-unavailable' });
    const text = problem instanceof Error ? problem.message : '';
    expect(text).toMatch(right);
    expect(text).not.toContain('in use');
  });
});
