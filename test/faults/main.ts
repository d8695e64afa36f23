import { availableParallelism } from 'node:os';

import { z } from 'zod';

import {
  checkOptions,
  type Program,
  readOptions,
  runProgram,
  wholeNumber,
} from '../../src/program/run-program.ts';
import { runSuite, say, textTable } from '../harness/report.ts';
import type { PostgresServer } from '../postgres.ts';
import type { Played } from './play-scenario.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { faultsOf, notPlayedIn, rowsOf } from './table.ts';

const badPayloads = 'bad payloads';
const names = [...scenarios.map(({ name }) => name), badPayloads];

const program: Program = {
  command: 'npm run test:faults --',
  help: `Usage: npm run test:faults -- [options]
Lets people work while something breaks, and checks the results.
  --only <scenario>    only this scenario; may be repeated
  --seconds <number>   seconds of work in each scenario (8)
  --help               show this
Scenarios: ${names.join('; ')}`,
};

const schema = z.object({
  only: z.array(z.enum(names, `takes one of: ${names.join('; ')}`)).default(names),
  seconds: wholeNumber(1, 3600).default(8),
});

async function playAll(
  chosen: readonly Scenario[],
  seconds: number,
  postgres: PostgresServer,
): Promise<readonly Played[]> {
  const { playScenario } = await import('./play-scenario.ts');
  const all: Played[] = [];
  for (const scenario of chosen) {
    const played = await playScenario(scenario, postgres, seconds);
    all.push(played);
    const took = 'notPlayed' in played ? 'NOT RUN HERE' : `${Math.round(played.seconds)} s`;
    say(`${scenario.name}: ${took}; guarded by: ${scenario.guard}`);
    for (const fault of faultsOf([played])) say(`  ${fault}`);
  }
  return all;
}

await runProgram(program, async (args) => {
  const { only, seconds } = checkOptions(
    schema,
    readOptions(args, {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
    }).values,
  );
  await runSuite(async (postgres) => {
    const began = performance.now();
    const chosen = scenarios.filter(({ name }) => only.includes(name));
    const all = await playAll(chosen, seconds, postgres);
    const took = Math.round((performance.now() - began) / 1000);
    const summary = `${took} s, ${availableParallelism()} cores, Node ${process.versions.node}`;
    if (all.length > 0) say(`\n${textTable(rowsOf(all))}\n\n${summary}`);
    for (const line of notPlayedIn(all)) say(line);
    const { tryBadPayloads } = await import('./bad-payloads/try-bad-payloads.ts');
    const wrong = only.includes(badPayloads)
      ? await tryBadPayloads({ count: 10_000, seed: Date.now() % 1_000_000 }, say)
      : [];
    return [...faultsOf(all), ...wrong];
  });
});
