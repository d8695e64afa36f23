import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Comparison, Measure } from '../comparison.ts';
import { startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { openLoop, percentile } from '../measure/open-loop.ts';
import { production } from '../measure/production.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

/** More than a large team types. Per second. */
const aSecond = 25;
/** Commands a round. */
const aRound = 25;
const warmUp = 500;

/**
 * How long an ack takes in production's bot, with all work that follows it, at 25 commands a second, whether or not earlier ones
 * were answered. Each is timed from when it was due.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const written = () =>
    startContender('peers/bare-written-down.js', { DATA_DIR: mkdtempSync(join(folder, 'data-')) });
  const starts: Starts = {
    bare: written,
    'bare again': written,
    bolt: () => startContender('peers/stock-bolt.js', { COUNT: '50', ...bot.variables }),
    bot: () => startContender(production.program, bot.variables, production.nodeOptions),
  };
  const payload = (name: string) => () =>
    signedCommand({
      command: name === 'bot' ? '/bellhop' : '/op-50',
      text: 'help',
      responseUrl: slack.responseUrl,
    });
  const took = new Map(Object.keys(starts).map((name): [string, number[]] => [name, []]));
  let expected = 0;
  const of = (name: string, part: number): number => percentile(took.get(name) ?? [], part);
  try {
    await interleaveProcesses(starts, { generations: 1, rounds: 10, warmUps: 0 }, async (contender, name) => {
      const latencies = took.get(name) ?? [];
      // Only the bot does work after its ack. A round begins when all of that is done.
      const settled = async (count: number): Promise<void> => {
        expected += name === 'bot' ? count : 0;
        while (slack.answers() < expected) await delay(5);
      };
      if (latencies.length === 0) {
        await contender.post(warmUp, payload(name));
        await settled(warmUp);
      }
      const round = await openLoop(contender, { aSecond, count: aRound }, payload(name));
      latencies.push(...round);
      await settled(aRound);
      return percentile(round, 0.5);
    });
  } finally {
    slack.close();
    bot.remove();
    rmSync(folder, { recursive: true });
  }
  const compared = (part: number, other: string, beside: string, atMost: number): Comparison => ({
    what: `ack at ${aSecond} commands a second, p${part * 100}`,
    ours: of('bot', part),
    beside,
    other: of(other, part),
    unit: 'ms',
    ratio: of('bot', part) / of(other, part),
    aim: { atMost },
    control: of('bare again', part) / of('bare', part),
    felt: true,
  });
  return [
    compared(0.5, 'bare', 'bare node:http and one SQLite insert', 1.4),
    compared(0.5, 'bolt', 'stock Bolt, nothing written', 1),
    compared(0.95, 'bare', 'bare node:http and one SQLite insert', 2),
  ];
};
