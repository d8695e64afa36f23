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
  say('installing what Bellhop is compared to …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}

const program: Program = {
  command: 'npm run bench --',
  help: `Usage: npm run bench -- [options]
Measures what Bellhop costs, side by side with its alternatives. It builds dist/ and measures that, as production runs it.
The first run installs the alternatives. It ends within ${limits.all / 60_000} minutes, a row within ${limits.row / 1000} seconds. A failing row
is reported, and the others continue.
  --rows <row,row>   only these, of: ${Object.keys(rows).join(', ')}
  --json <file>      save the figures
  --compare <file>   show what is better or worse than in a saved run, by more than chance
  --write            write what people feel and what misses its aim into ${document}, unless a row failed or --rows is given
  --help             show this`,
};

const schema = z.object({
  rows: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(Object.keys(rows), `takes some of: ${Object.keys(rows).join(', ')}`)))
    .optional(),
  json: z
    .string()
    .refine((file) => existsSync(dirname(resolve(file))), 'takes a file in a folder that is there')
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
  if (options.write && options.rows) throw new UsageError('--write takes the whole bench: leave out --rows.');
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
  const ran = `${run.machine}, ${run.seconds} s in all.`;
  say(`\nWhat people feel:\n\n${felt}\n\nBehind it:\n\n${others}\n\n${ran}`);
  if (options.json !== undefined) saveRun(options.json, run);
  if (before) say(`\n${compareRuns(before, run)}`);
  if (run.failures.length > 0) {
    if (options.write) say(`${document} is left as it is: a row failed.`);
    return 1;
  }
  if (options.write) writeSection(document, 'bench', `\n${page}\n\n${ran}\n`);
  return undefined;
});
