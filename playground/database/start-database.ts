import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

import { startPostgres } from './start-postgres.ts';

/** A database with problems to solve on call. */
export interface LocalDatabase {
  /** The URL with the login that can end other connections. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A real PostgreSQL on this machine, with a shop that has a bad day: one connection left a transaction open that locks
 * a row, two others wait for it, and a report takes long. Connections that are ended come back after a while.
 */
export async function startDatabase(): Promise<LocalDatabase> {
  // All users may enter the folder, because it contains nothing of value and the server runs as another user.
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-database-'));
  const server = await startPostgres({
    port: await freePort(),
    folder,
    settings: ['fsync=off', 'max_connections=50'],
  });
  await seed(server.url);
  const day = badDay(server.url);
  return {
    url: server.url,
    async close() {
      await day.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A free port of this machine. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function seed(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create table orders (id int primary key, state text not null)');
  await client.query("insert into orders select id, 'paid' from generate_series(1, 1000) id");
  await client.end();
}

/** The sessions, in order: the first has the lock that the next two wait for. */
const work: readonly (readonly [application: string, queries: readonly string[]])[] = [
  ['checkout', ['begin', "update orders set state = 'packed' where id = 42"]],
  ['billing', ["update orders set state = 'billed' where id = 42"]],
  ['warehouse', ['delete from orders where id = 42']],
  ['report', ['select count(*), pg_sleep(86400) from orders']],
];

const againMs = 5000;

/** Each connection does its work, and starts again some time after it was ended. */
function badDay(url: string) {
  const closing = new AbortController();
  const open = new Set<Client>();
  const run = async (application: string, queries: readonly string[]): Promise<void> => {
    while (!closing.signal.aborted) {
      const client = new Client({ connectionString: url, application_name: application });
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve());
        client.on('end', () => resolve());
      });
      try {
        await client.connect();
        open.add(client);
        for (const query of queries) await client.query(query);
        await ended;
      } catch {
        // The connection was ended on purpose, as intended.
      } finally {
        open.delete(client);
        await client.end().catch(() => undefined);
      }
      await delay(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const all = work.map(async ([application, queries], index) => {
    await delay(index * 200, undefined, { signal: closing.signal }).catch(() => undefined);
    await run(application, queries);
  });
  return {
    async close() {
      closing.abort();
      for (const client of open) void client.end().catch(() => undefined);
      await Promise.race([Promise.all(all), delay(1000)]);
    },
  };
}
