import { describe, expect, it } from 'vitest';

import { type ChaosResult, faultsOf, runChaos } from './run-chaos.ts';
import { storyKinds } from './story.ts';
import { commonPostgres } from '../common-postgres.ts';

/** Each kind of story once, half of them in production. `npm run test:chaos` tells as many as it is asked for. */
const brief = {
  runs: storyKinds.length,
  seed: 20_261_121,
  atOnce: storyKinds.length,
  // A person's click comes seconds late where the machine is busy: what expires by that is never sent.
  expireMs: 12_000,
  batch: 1000,
  withinMs: 0,
} as const;

/** That something happened at all; how the requests ended is there for whoever looks into a failure. */
function expectLively({ requests, changes, kills, redeliveries, states }: ChaosResult): void {
  expect({ requests, changes, kills, redeliveries, states }).toSatisfy(
    () => requests >= brief.runs && changes > 0 && kills > 0 && redeliveries > 0,
  );
}

describe('clicks, races, redeliveries and kill -9', () => {
  it('run nothing twice and leave nothing without an end: two bots on one PostgreSQL', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const result = await runChaos({ ...brief, bots: 2, databaseUrl });
    expect(faultsOf(result)).toEqual([]);
    expectLively(result);
  }, 300_000);

  it('run nothing twice and leave nothing without an end: one bot on the embedded store', async () => {
    const result = await runChaos({ ...brief, bots: 1 });
    expect(faultsOf(result)).toEqual([]);
    expectLively(result);
  }, 300_000);
});
