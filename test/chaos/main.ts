import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  wholeNumber,
} from '../../src/program/run-program.ts';
import { runSuite, say, textTable } from '../harness/report.ts';
import type { ChaosResult } from './run-chaos.ts';

const program: Program = {
  command: 'npm run test:chaos --',
  help: `Usage: npm run test:chaos -- [options]
Plays seeded stories of clicks, races, redeliveries and kill -9 on two bots and one PostgreSQL, and checks the results.
  --embedded           one bot on the embedded store instead
  --runs <number>      stories (1000)
  --seed <number>      the seed of the stories (default: a new one)
  --seconds <number>   start no new batch of stories after this time (300)
  --at-once <number>   stories at a time (40)
  --help               show this`,
};

const text = { type: 'string' } as const;
const schema = z.object({
  embedded: z.boolean().default(false),
  runs: wholeNumber(1, 1_000_000).default(1000),
  seed: wholeNumber(0, 2 ** 32 - 1).optional(),
  seconds: wholeNumber(1, 86_400).default(300),
  'at-once': wholeNumber(1, 500).default(40),
});

const columnsOf = (result: ChaosResult): readonly (readonly [string, string | number])[] => [
  ['runs', result.told],
  ['requests', result.requests],
  ['sent', result.changes],
  ['executed', result.effects],
  ['kill -9', result.kills],
  ['redelivered', result.redeliveries],
  ['executed twice', result.twice.length],
  ['never finished', result.withoutEnd.length],
  ['wrong status', result.toldWrongly.length],
  ['audit log', result.chain === '' ? 'intact' : 'BROKEN'],
];

await runProgram(program, async (args) => {
  const options = checkOptions(
    schema,
    readOptions(args, {
      embedded: { type: 'boolean' },
      runs: text,
      seed: text,
      seconds: text,
      'at-once': text,
    }).values,
  );
  const { embedded, runs, seconds, seed = Date.now() % 1_000_000 } = options;
  say(
    `${runs} runs, seed ${seed}, ${embedded ? 'one bot on the embedded store' : 'two bots on one PostgreSQL'}`,
  );
  await runSuite(async (postgres) => {
    const { faultsOf, runChaos } = await import('./run-chaos.ts');
    const began = performance.now();
    const result = await runChaos({
      runs,
      seed,
      ...(embedded ? { bots: 1 } : { bots: 2, databaseUrl: await postgres.createDatabase() }),
      atOnce: options['at-once'],
      expireMs: 8000,
      batch: 200,
      withinMs: seconds * 1000,
      onBatch: (told, { requests, changes }) =>
        say(
          `${told} runs, ${requests} requests, ${changes} changes, ${Math.round((performance.now() - began) / 1000)} s`,
        ),
    });
    const columns = columnsOf(result);
    const others = [
      ['cards that differ from their row', result.staleCards.length],
      ['second cards left by a crash', result.strays],
    ] as const;
    say(`\n${textTable([...columns, ...others])}`);
    const faults = faultsOf(result);
    for (const fault of faults) say(fault);
    return faults;
  });
});
