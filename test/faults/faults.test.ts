import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPostgres, type PostgresServer } from '../postgres.ts';
import { playScenario } from './play-scenario.ts';
import type { Scenario } from './scenario.ts';
import { killed, stopped } from './scenarios/processes.ts';
import { faultsOf } from './table.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

/** `npm run test:faults` plays all of them, with more people, for longer, and with the patience of Slack itself. */
const short = [killed(1), stopped].map((scenario): [string, Scenario] => [
  scenario.name,
  { ...scenario, perSecond: 6, patience: 5 },
]);

describe('people who work while something goes wrong', () => {
  it.concurrent.each(short)(
    'lose nothing, get nothing twice and see an end of everything: %s',
    async (_, scenario) => {
      expect(faultsOf([await playScenario(scenario, postgres, 2)])).toEqual([]);
    },
    300_000,
  );
});
