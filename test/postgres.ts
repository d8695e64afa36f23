import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres as startServer } from '../playground/database/start-postgres.ts';
import { createDatabase } from './create-database.ts';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server of this test run, on a free port, its data under the temporary directory. */
export interface PostgresServer {
  /** The URL of the database that every server has. */
  readonly url: string;
  /** Creates an empty database, or a copy of the one at `template` while no one uses that. @returns its URL */
  createDatabase(template?: string): Promise<string>;
  /** Stops the server as a restart does. Its data stay, and open connections are ended. */
  stop(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
  /** Stops the server permanently and removes its data. */
  remove(): Promise<void>;
}

/** @param settings options of the server. By default, a test does not wait for the disk */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-postgres-'));
  const { url, start, stop } = await startServer({ port: await freePort(), folder, settings });
  return {
    url,
    createDatabase: (template) => createDatabase(url, template),
    start,
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
