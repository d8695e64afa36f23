/**
 * What Bellhop costs beside what people would use instead, side by side in one run:
 *
 *   npm run bench [-- --rows ack,floating-ips] [--write]
 *
 * `--write` puts the table into README.md. What Bellhop is compared to is installed on the first run.
 */
import { execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { writeSection } from '../scripts/readme-section.ts';
import { comparison, type Comparison } from './comparison.ts';
import { rows } from './rows.ts';
import { table } from './table.ts';

const here = import.meta.dirname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Milliseconds after which a row is given up. */
const mostForARow = 90_000;

function installPeers(): void {
  if (existsSync(join(here, 'node_modules'))) return;
  say('installing what Bellhop is compared to …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}

function measured(name: string): Promise<readonly Comparison[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(here, 'run-row.ts'), [name], { execArgv: ['--expose-gc'], timeout: mostForARow });
    let comparisons: readonly Comparison[] | undefined;
    child.on('message', (message) => {
      comparisons = z.array(comparison).parse(message);
    });
    child.on('exit', (code, signal) => {
      if (comparisons !== undefined) resolve(comparisons);
      else reject(new Error(`the row ${name} ended without figures (${signal ?? code})`));
    });
  });
}

const { values } = parseArgs({
  options: { rows: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const names = values.rows?.split(',') ?? Object.keys(rows);
const unknown = names.find((name) => !Object.hasOwn(rows, name));
if (unknown !== undefined) throw new Error(`no row ${unknown}: ${Object.keys(rows).join(', ')}`);

installPeers();
const began = performance.now();
const comparisons: Comparison[] = [];
for (const name of names) {
  const from = performance.now();
  comparisons.push(...(await measured(name)));
  say(`${name}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
}
const seconds = ((performance.now() - began) / 1000).toFixed(0);
const text = `${table(comparisons)}\n\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${seconds} s in all.`;
say(`\n${text}`);
if (values.write) writeSection('bench', `\n${text}\n`);
