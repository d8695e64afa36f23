import type { Around } from '../../program/relay.ts';
import type { Scenario } from '../scenario.ts';
import { endsIn, failing, hanging } from './service-troubles.ts';
import { outOfOrder, turnAwayAllBut } from './slack-troubles.ts';
import { pause } from '../../harness/world.ts';

const guard = 'acknowledged before any call to Slack; cards and answers are retried';

const trouble = (name: string, around: () => Around, forMs: number): Scenario => ({
  name,
  guard,
  store: 'postgres',
  play: async ({ slack }) => {
    slack.meet(around());
    await pause(forMs);
    slack.meet(undefined);
  },
});

const again: Scenario = {
  name: 'payloads come twice and out of order',
  guard: 'all replicas know what was delivered; the version in each step',
  store: 'postgres',
  play: async ({ payloads, replicas }) => {
    payloads.meet(outOfOrder(replicas));
    await pause(10_000);
    payloads.meet(undefined);
  },
};

export const slackScenarios = [
  trouble('Slack rejects (429) all but one call in 2 s', () => turnAwayAllBut(2), 8000),
  trouble('Slack answers 500', () => endsIn(failing), 8000),
  trouble('Slack hangs', () => endsIn(hanging), 8000),
  again,
] as const;
