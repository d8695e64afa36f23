import type { Scenario } from '../scenario.ts';

/** One process dies at a time, three times, now this one, now that one; a new one takes its place after a second. */
export const killOne: Scenario = {
  name: 'kill -9',
  guard:
    'a payload is written down before it is acknowledged; a running row has a lease; a step is one conditional update',
  store: 'postgres',
  play: async ({ replicas, pass }) => {
    for (const bot of [0, 1, 0, 1]) {
      await replicas.end(bot, 'SIGKILL');
      await pass(1000);
      await replicas.start(bot);
      await pass(1000);
    }
  },
};
