import { describe, expect, it } from 'vitest';

import { type ChaosResult, faultsOf, runChaos } from './run-chaos.ts';
import { storyKinds } from './story.ts';
import { commonPostgres } from '../common-postgres.ts';

/** Each kind of story once, half of them in production. `npm run test:chaos` runs as many as requested. */
const brief = {
  runs: storyKinds.length,
  seed: 20_261_121,
  atOnce: storyKinds.length,
  // A person's click comes seconds late where the machine is busy: what expires by that is never sent.
  expireMs: 12_000,
  batch: 1000,
  withinMs: 0,
} as const;

/** Checks that requests ran. Their outcomes are listed for anyone who investigates a failure. */
function expectLively({ requests, changes, kills, redeliveries, states }: ChaosResult): void {
  expect({ requests, changes, kills, redeliveries, states }).toSatisfy(
    () => requests >= brief.runs && changes > 0 && kills > 0 && redeliveries > 0,
  );
}

describe('clicks, races, redeliveries and kill -9', () => {
  it('run nothing twice, and every request ends: two bots on one PostgreSQL', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const result = await runChaos({ ...brief, bots: 2, databaseUrl });
    expect(faultsOf(result)).toEqual([]);
    expectLively(result);
  }, 300_000);

  it('run nothing twice, and every request ends: one bot on the embedded store', async () => {
    const result = await runChaos({ ...brief, bots: 1 });
    expect(faultsOf(result)).toEqual([]);
    expectLively(result);
  }, 300_000);
});
