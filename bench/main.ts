import { execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { checkOptions, type Program, readOptions, runProgram } from '../src/program/run-program.ts';
import { writeSection } from '../scripts/document-section.ts';
import { comparison, type Comparison } from './comparison.ts';
import { measureRows } from './measure-rows.ts';
import { buildBot } from './measure/production.ts';
import { rows } from './rows.ts';
import { table } from './table.ts';

const here = import.meta.dirname;
const document = 'docs/benchmarks.md';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Milliseconds after which a row is given up. */
const mostForARow = 90_000;

function installPeers(): void {
  if (existsSync(join(here, 'node_modules'))) return;
  say('installing what Bellhop is compared to …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}

/** @throws Error with why there are no figures */
function measure(name: string): Promise<readonly Comparison[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(here, 'run-row.ts'), [name], { execArgv: ['--expose-gc'], timeout: mostForARow });
    let comparisons: readonly Comparison[] | undefined;
    child.on('message', (message) => {
      comparisons = z.array(comparison).parse(message);
    });
    child.on('exit', (code, signal) => {
      if (comparisons !== undefined) resolve(comparisons);
      else if (signal === null) reject(new Error(`it ended with code ${code} and no figures`));
      else reject(new Error(`it was ended (${signal}); a row may take ${mostForARow / 1000} s`));
    });
  });
}

const program: Program = {
  command: 'npm run bench --',
  help: `Usage: npm run bench -- [options]
Measures what Bellhop costs beside what people would use instead, side by side in one run. What it is compared to is
installed on the first run.
  --rows <row,row>   these alone, of: ${Object.keys(rows).join(', ')}
  --write            put the table into ${document}; not where a row failed
  --help             show this`,
};

const schema = z.object({
  rows: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(Object.keys(rows), `takes some of: ${Object.keys(rows).join(', ')}`)))
    .default(Object.keys(rows)),
  write: z.boolean().default(false),
});

await runProgram(program, async (args) => {
  const options = checkOptions(
    schema,
    readOptions(args, { rows: { type: 'string' }, write: { type: 'boolean' } }).values,
  );
  installPeers();
  await buildBot();
  const began = performance.now();
  const { comparisons, failures } = await measureRows(options.rows, measure, say);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const text = `${table(comparisons, failures)}\n\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${seconds} s in all.`;
  say(`\n${text}`);
  if (failures.length > 0) {
    if (options.write) say(`${document} is left as it is: a row failed.`);
    return 1;
  }
  if (options.write) writeSection(document, 'bench', `\n${text}\n`);
  return undefined;
});
