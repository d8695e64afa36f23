import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { keepOwnKey, ownKeyFile } from '../../src/audit/own-files.ts';
import { checkOptions, type Program, readOptions, runProgram } from '../../src/program/run-program.ts';
import { buildBot } from '../measure/production.ts';
import { fillMonth } from './fill.ts';
import { type Measured, measureTeam, type Place } from './measure-team.ts';
import { behindTheMonth, monthTable } from './report.ts';
import { largeTeam, smallTeam } from './team.ts';
import { openStore } from '../../test/store/open-store.ts';

const maxMinutes = 20;
const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const began = performance.now();
const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0);
const say = (line: string): void => void process.stdout.write(`${seconds()} s: ${line}\n`);

const program: Program = {
  command: 'npm run bench:month --',
  help: `Usage: npm run bench:month -- [options]
Simulates a month of a large team: a million audit entries, 100,000 requests, 10,000 instances, 200 people, 50 alerts a
minute. It fills an embedded store through the store's own methods, a thousand entries at a time, and copies it to the tests'
PostgreSQL with "npm run store -- copy". Then it measures the production bot from outside, on both stores and on empty ones.
It takes at most ${maxMinutes} minutes. The exit code is 1 if a table grew that should not grow.
  --scale <number>   size of the month, from 0.001 to 1 (default: 1); 0.01 takes a minute
  --help             show this`,
};

const schema = z.object({
  scale: z
    .string()
    .transform(Number)
    .refine((scale) => scale >= 0.001 && scale <= 1, 'takes a number from 0.001 to 1')
    .default(1),
});

await runProgram(program, async (args) => {
  const { scale } = checkOptions(schema, readOptions(args, { scale: { type: 'string' } }).values);
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-month-'));
  const timer = setTimeout(() => {
    say(`stopped after ${maxMinutes} minutes`);
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }, maxMinutes * 60_000);
  try {
    const measured = await simulate(folder, scale);
    const text = `${monthTable(measured)}\n\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, scale ${scale}, ${seconds()} s in total.`;
    process.stdout.write(`\n${behindTheMonth(measured)}\n\n${text}\n`);
    const faults = measured.flatMap((one) => one.faults);
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    if (faults.length > 0) process.exit(1);
    return undefined;
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Measures four stores, in this order: embedded new, embedded month, PostgreSQL new, PostgreSQL month. */
async function simulate(folder: string, scale: number): Promise<readonly Measured[]> {
  const team = largeTeam(scale);
  await buildBot();
  const embedded = (name: string): Place => {
    const place = join(folder, name);
    return { folder: place, location: { dataDir: join(place, 'data') } };
  };
  const [fresh, month] = [embedded('new'), embedded('month')];
  await fill(join(month.folder, 'data'), scale);
  // Loaded only here, because its exit handler hides the exit code of an error.
  const { startPostgres } = await import('../../test/postgres.ts');
  const postgres = await startPostgres([]);
  try {
    // Copied before a bot runs on it, so that both stores are measured as they were filled.
    const databaseUrl = await postgres.createDatabase();
    await run(process.execPath, [
      join(root, 'dist/store.js'),
      'copy',
      '--from',
      join(month.folder, 'data'),
      '--to',
      databaseUrl,
    ]);
    say('copied to PostgreSQL');
    const onServer = (name: string, url: string): Place => ({
      folder: join(folder, name),
      location: { databaseUrl: url },
    });
    const [serverFresh, serverMonth] = [
      onServer('server-new', await postgres.createDatabase()),
      onServer('server-month', databaseUrl),
    ];
    mkdirSync(join(serverMonth.folder, 'data'), { recursive: true, mode: 0o700 });
    cpSync(ownKeyFile(join(month.folder, 'data')), ownKeyFile(join(serverMonth.folder, 'data')));
    const measured: Measured[] = [];
    for (const [name, place, its] of [
      ['embedded, new', fresh, smallTeam],
      ['embedded, a month', month, team],
      ['PostgreSQL, new', serverFresh, smallTeam],
      ['PostgreSQL, a month', serverMonth, team],
    ] as const) {
      say(`${name} …`);
      measured.push(await measureTeam(place, its, say));
    }
    return measured;
  } finally {
    await postgres.remove();
  }
}

async function fill(dataDir: string, scale: number): Promise<void> {
  const team = largeTeam(scale);
  const store = await openStore({ dataDir });
  let said = performance.now();
  try {
    await fillMonth(store, [keepOwnKey(dataDir).key], team, Date.now(), (done) => {
      if (performance.now() - said < 10_000) return;
      said = performance.now();
      say(`${done.toLocaleString('en')} of ${team.entries.toLocaleString('en')} entries`);
    });
  } finally {
    await store.close();
  }
  say('filled');
}
