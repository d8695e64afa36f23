import type { Scenario } from '../scenario.ts';
import { changesEndIn, dripping, failing, hanging, resetting } from './service-troubles.ts';
import { pause } from '../../harness/world.ts';

const guard = 'a change is never resent; an unclear outcome is unknown';

/** In milliseconds. Calls that began in this time end at their own deadline, after 30 s. */
const forMs = 5000;

const trouble = (name: string, ending: Parameters<typeof changesEndIn>[0], deadline = ''): Scenario => ({
  name,
  guard: guard + deadline,
  store: 'postgres',
  play: async ({ service }) => {
    service.meet(changesEndIn(ending));
    await pause(forMs);
    service.meet(undefined);
  },
});

export const serviceScenarios = [
  trouble('service hangs', hanging, '; the deadline of a call'),
  trouble('service resets connections', resetting),
  trouble('service answers 500', failing),
  trouble('service drips bytes', dripping, '; the deadline of a call'),
] as const;
