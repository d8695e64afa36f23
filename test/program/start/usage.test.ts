import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { callScript } from '../../call-program.ts';
import { runNode, runProgram } from '../../run-node.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder();

const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts;

/** The file that `npm run <name> -- …` runs. */
const fileOf = (name: string): string => /with-node node (\S+)$/u.exec(scripts[name] ?? '')?.[1] ?? '';

/** Runs the file of `npm run <name> -- …` in an empty folder. */
function run(name: string, args: readonly string[]) {
  if (name === 'start' || name === 'store' || name === 'audit') return runProgram(name, args, {}, folder);
  return runNode([join(root, fileOf(name)), ...args], folder);
}

/** The same in this process, for scripts that print nothing more than the program does. */
const call = (name: string, args: readonly string[]) =>
  name === 'start' ? run(name, args) : callScript(fileOf(name), args, {}, folder);

/** The tests must see a process of each of these end. */
const installed = ['start', 'service', 'workspace', 'store', 'audit'];
const forDevelopers = ['test:chaos', 'test:faults', 'bench', 'bench:month'];

describe.each([...installed, ...forDevelopers])('npm run %s', (name) => {
  const command = name === 'start' ? 'npm start' : `npm run ${name}`;

  it('explains itself with --help, whatever the other arguments', async () => {
    const { code, out, err } = await call(name, ['--prot', '1', '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.startsWith(`Usage: ${command}`)).toBe(true);
    expect(out.split('\n').length).toBeGreaterThan(2);
  });

  it('names an option that it does not know in one line, with exit code 2', async () => {
    const begin = installed.includes(name) ? run : call;
    expect(await begin(name, ['--prot', '1'])).toEqual({
      code: 2,
      out: '',
      err: `Unknown option '--prot'. Help: ${command} -- --help\n`,
    });
  });
});

describe('a mistake', () => {
  it.each<[string, readonly string[], string]>([
    ['service', ['--port', 'x'], '--port takes a whole number from 0 to 65535.'],
    [
      'workspace',
      [],
      '--bot-token is missing: give the token that the app uses, such as xoxb-local.\n' +
        '--signing-secret is missing: give the secret that the app checks signatures with, or --app-token for Socket Mode.',
    ],
    [
      'workspace',
      ['--bot-token', 'x', '--signing-secret', 'y', '--app-url', 'here', '--port', '1e3'],
      '--port takes a whole number from 0 to 65535.\n' +
        '--app-url takes an address, such as http://127.0.0.1:3000/slack/events.',
    ],
    ['store', [], 'Name a command. Use backup, restore, restored, copy, migrate, forget.'],
    ['store', ['copy'], 'Name the data directory to copy: --from .data.'],
    [
      'audit',
      ['verfy'],
      'Unknown command “verfy”. Use verify, prove, checkpoint, key, new-key, export, adopt-log, evidence, send-stub.',
    ],
    ['audit', ['export', '--format', 'xml'], '--format takes ndjson, csv, ocsf.'],
    ['test:chaos', ['--runs', 'many'], '--runs takes a whole number from 1 to 1000000.'],
    ['test:chaos', ['--at-once', '0'], '--at-once takes a whole number from 1 to 500.'],
    ['test:faults', ['--seconds', '-'], '--seconds takes a whole number from 1 to 3600.'],
    ['bench', ['--json', '/nowhere/run.json'], '--json takes a file in an existing folder.'],
    ['bench', ['--rows', 'ack', '--write'], '--write needs all rows, so it cannot be used with --rows.'],
    ['bench:month', ['--scale', '2'], '--scale takes a number from 0.001 to 1.'],
  ])('%s %j is said as what the option takes, with exit code 2', async (name, args, message) => {
    const command = name === 'start' ? 'npm start' : `npm run ${name}`;
    expect(await call(name, args)).toEqual({
      code: 2,
      out: '',
      err: `${message} Help: ${command} -- --help\n`,
    });
  });

  it.each([
    ['test:faults', '--only', 'kill -9 of all'],
    ['bench', '--rows', 'ack,akc'],
  ])('%s %s %j names what there is, on one line', async (name, option, value) => {
    const { code, err } = await call(name, [option, value]);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^${option} takes one(?: or more)? of: [^\\n]+ Help: [^\\n]+\\n$`, 'u'));
  });
});

describe('a port that another program has', () => {
  it.each([
    ['service', ['--data-dir', join(folder, 'service')]],
    [
      'workspace',
      [
        '--data-dir',
        folder,
        '--bot-token',
        'x',
        '--signing-secret',
        'y',
        '--manifest',
        join(root, 'manifest.json'),
      ],
    ],
  ])('%s says so in one line, with what to do', async (name, args) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = z.object({ port: z.number() }).parse(taken.address());
    const { code, err } = await run(name, [...args, '--port', String(port)]);
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^[^\\n]*port ${port} of 127\\.0\\.0\\.1[^\\n]*(?:that|what) uses it,[^\\n]*\\n$`, 'iu'),
    );
    taken.close();
  });
});

describe('a folder that the system lets no one make', () => {
  it.each([
    ['service', []],
    ['workspace', ['--bot-token', 'x', '--signing-secret', 'y', '--manifest', join(root, 'manifest.json')]],
  ])('%s does not wait for it', async (name, args) => {
    const { code, err } = await run(name, [...args, '--port', '0', '--data-dir', '/proc/bellhop']);
    expect(code).toBe(1);
    expect(err).toMatch(/^[^\n]*\/proc\/bellhop[^\n]*\n$/u);
  });
});
