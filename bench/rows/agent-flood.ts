import { setTimeout as delay } from 'node:timers/promises';

import { Pool } from 'undici';

import type { Comparison, Measure } from '../comparison.ts';
import { startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { openLoop, percentile } from '../measure/open-loop.ts';
import { production } from '../measure/production.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

const aSecond = 25;
/** Commands a round. */
const aRound = 25;
const warmUp = 500;
/** Calls of the agent a second: forty times what it may go on with, so that its burst is over within seconds. */
const flood = 200;

const yaml = `project: 1\nregion: 76\nagents:\n  mallory: { token: secret:mallory, channel: C0INC42 }\n`;
const token = 'token-of-mallory';

/** How long an ack takes while an agent sends suggestions as fast as it can: people first. */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
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
      const end = name === 'flooded' ? startFlood(contender.port) : undefined;
      const round = await openLoop(contender, { aSecond, count: aRound }, payload);
      await end?.();
      latencies.push(...round);
      await settled(aRound);
      return percentile(round, 0.5);
    });
  } finally {
    slack.close();
    for (const { bot } of bots) bot.remove();
  }
  const compared = (part: number, atMost: number): Comparison => ({
    what: `ack while an agent sends ${flood} suggestions a second, p${part * 100}`,
    ours: of('flooded', part),
    beside: 'the same bot, left alone',
    other: of('alone', part),
    unit: 'ms',
    ratio: of('flooded', part) / of('alone', part),
    aim: { atMost },
    control: of('alone again', part) / of('alone', part),
    felt: true,
  });
  return [compared(0.5, 1.5), compared(0.95, 3)];
};

/** Begins to call at a steady pace, whether or not it is answered. @returns what ends it, once all is answered */
function startFlood(port: number): () => Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 50 });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const calls: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const given = {
      command: `/cloud reboot 1/76/6c6aa80f-7836-4dc2-a2ae-${String(calls.length).padStart(12, '0')}`,
      reason: 'flood '.repeat(100),
    };
    const params = { name: 'suggest_change', arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: calls.length, method: 'tools/call', params });
    calls.push(
      pool.request({ method: 'POST', path: '/mcp', headers, body }).then((reply) => reply.body.dump()),
    );
  }, 1000 / flood);
  return async () => {
    clearInterval(timer);
    await Promise.all(calls);
    await pool.close();
  };
}
