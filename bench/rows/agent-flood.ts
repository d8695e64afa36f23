import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Comparison, Measure } from '../comparison.ts';
import { startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { openLoop, percentile } from '../measure/open-loop.ts';
import { production } from '../measure/production.ts';
import type { FloodOrder } from '../programs/agent-flooder.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

const aSecond = 25;
/** Commands a round. */
const aRound = 25;
const warmUp = 500;
/** Calls of the agent per second: forty times its allowed rate, so that its burst is over within seconds. */
const flood = 200;

const yaml = `project: 1\nregion: 76\nagents:\n  mallory: { token: secret:mallory, channel: C0INC42 }\n`;
const token = 'token-of-mallory';

/** How long an ack takes while an agent sends suggestions as fast as it can, compared with the same flood to another server. */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const flooder = await startFlooder();
  const bots = ['alone', 'alone again', 'flooded'].map((name) => ({
    name,
    bot: botEnvironment(slack, { yaml, files: {} }),
  }));
  const starts: Starts = Object.fromEntries(
    bots.map(({ name, bot }) => [
      name,
      () =>
        startContender(
          production.program,
          { ...bot.variables, BELLHOP_SECRET_MALLORY: token },
          production.nodeOptions,
        ),
    ]),
  );
  const payload = () => signedCommand({ command: '/bellhop', text: 'help', responseUrl: slack.responseUrl });
  const took = new Map(Object.keys(starts).map((name): [string, number[]] => [name, []]));
  const of = (name: string, part: number): number => percentile(took.get(name) ?? [], part);
  let expected = 0;
  const settled = async (count: number): Promise<void> => {
    expected += count;
    while (slack.answers() < expected) await delay(5);
  };
  try {
    await interleaveProcesses(starts, { generations: 1, rounds: 10, warmUps: 0 }, async (contender, name) => {
      const latencies = took.get(name) ?? [];
      if (latencies.length === 0) {
        await contender.post(warmUp, payload);
        await settled(warmUp);
      }
      flooder.begin(name === 'flooded' ? contender.port : 'elsewhere');
      const round = await openLoop(contender, { aSecond, count: aRound }, payload);
      await flooder.end();
      latencies.push(...round);
      await settled(aRound);
      return percentile(round, 0.5);
    });
  } finally {
    flooder.close();
    slack.close();
    for (const { bot } of bots) bot.remove();
  }
  const compared = (part: number, atMost: number): Comparison => ({
    what: `ack while an agent sends ${flood} suggestions a second, p${part * 100}`,
    ours: of('flooded', part),
    beside: 'the same flood to another server',
    other: of('alone', part),
    unit: 'ms',
    ratio: of('flooded', part) / of('alone', part),
    aim: { atMost },
    control: of('alone again', part) / of('alone', part),
    felt: true,
  });
  return [compared(0.5, 1.5), compared(0.95, 3)];
};

/** The agent runs in its own process, so that its work does not slow down the measuring one. */
async function startFlooder() {
  const child = fork(join(import.meta.dirname, '../programs/agent-flooder.ts'));
  await once(child, 'message');
  return {
    begin: (port: number | 'elsewhere') =>
      void child.send({ port, token, aSecond: flood } satisfies FloodOrder),
    async end() {
      const stopped = once(child, 'message');
      child.send('stop' satisfies FloodOrder);
      await stopped;
    },
    close: () => child.kill(),
  };
}
