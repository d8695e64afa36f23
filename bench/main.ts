import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  UsageError,
} from '../src/program/run-program.ts';
import { writeSection } from '../scripts/document-section.ts';
import { measureRows } from './measure-rows.ts';
import { buildBot } from './measure/production.ts';
import { measureInProcess } from './row-process.ts';
import { rows } from './rows.ts';
import { compareRuns, readRun, type Run, saveRun } from './saved-run.ts';
import { tables } from './table.ts';

const here = import.meta.dirname;
const document = 'docs/benchmarks.md';
const now = (): number => performance.now();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Time limits of a row, and of all rows, in milliseconds. */
const limits = { row: 90_000, all: 600_000 };

function installPeers(): void {
  if (existsSync(join(here, 'node_modules'))) return;
  say('installing the programs that Bellhop is compared with …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}

const program: Program = {
  command: 'npm run bench --',
  help: `Usage: npm run bench -- [options]
Measures Bellhop's costs, side by side with its alternatives. Builds dist/ and measures it with production's options.
The first run installs the alternatives. The bench takes at most ${limits.all / 60_000} minutes, a row at most ${limits.row / 1000} seconds. A failing
row is reported, and the others continue.
  --rows <row,row>   measure only these, of: ${Object.keys(rows).join(', ')}
  --json <file>      save the figures
  --compare <file>   compare with a saved run: list the rows that changed by more than chance
  --write            update ${document} with what users notice and what misses its aim, if no row fails; not with --rows
  --help             show this`,
};

const schema = z.object({
  rows: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(Object.keys(rows), `takes one or more of: ${Object.keys(rows).join(', ')}`)))
    .optional(),
  json: z
    .string()
    .refine((file) => existsSync(dirname(resolve(file))), 'takes a file in an existing folder')
    .optional(),
  compare: z.string().optional(),
  write: z.boolean().default(false),
});

await runProgram(program, async (args) => {
  const options = checkOptions(
    schema,
    readOptions(args, {
      rows: { type: 'string' },
      json: { type: 'string' },
      compare: { type: 'string' },
      write: { type: 'boolean' },
    }).values,
  );
  if (options.write && options.rows)
    throw new UsageError('--write needs all rows, so it cannot be used with --rows.');
  const before = options.compare === undefined ? undefined : readRun(options.compare);
  installPeers();
  await buildBot();
  const began = now();
  const measured = await measureRows(
    options.rows ?? Object.keys(rows),
    { measure: (row, withinMs) => measureInProcess(row, withinMs, say), say, now },
    limits,
  );
  const run: Run = {
    at: new Date().toISOString(),
    machine: `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`,
    seconds: Math.round((now() - began) / 1000),
    comparisons: [...measured.comparisons],
    failures: [...measured.failures],
  };
  const { felt, others, page } = tables(run.comparisons, run.failures);
  const ran = `${run.machine}, ${run.seconds} s in total.`;
  say(`\nWhat users notice:\n\n${felt}\n\nThe rest:\n\n${others}\n\n${ran}`);
  if (options.json !== undefined) saveRun(options.json, run);
  if (before) say(`\n${compareRuns(before, run)}`);
  if (run.failures.length > 0) {
    if (options.write) say(`${document} was not updated, because a row failed.`);
    return 1;
  }
  if (options.write) writeSection(document, 'bench', `\n${page}\n\n${ran}\n`);
  return undefined;
});
