import { setTimeout as delay } from 'node:timers/promises';

import { botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { reportProgress } from '../measure/progress.ts';
import { production } from '../measure/production.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn, type SlackStandIn } from '../slack/slack-stand-in.ts';

/** As many commands as the bot answers in half a minute on a slow machine. */
const all = 30_000;
const early = 10_000;
/** How many commands are sent at a time. The bot rejects commands if 1,000 are in flight. */
const together = 200;

/** In MB. */
interface Memory {
  /** Resident. */
  readonly idle: number;
  readonly late: number;
  /** Memory in use after a garbage collection. */
  readonly earlyNeed: number;
  readonly lateNeed: number;
}

/**
 * Memory of production's bot, just started and after many commands, of which only a few are in flight at a time. Peers only
 * acknowledge.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const environment = { COUNT: '50', ...bot.variables };
  try {
    const startBolt = () => startContender('peers/stock-bolt.js', environment);
    const startBot = () => startContender(production.program, environment, production.nodeOptions);
    const bolt = await memoryOf(startBolt, '/op-50', slack);
    const ours = await memoryOf(startBot, '/bellhop', slack);
    const again = await memoryOf(startBolt, '/op-50', slack);
    const beside = (what: string, of: 'idle' | 'late', atMost: number): Comparison => ({
      what,
      ours: ours[of],
      beside: 'stock Bolt',
      other: bolt[of],
      unit: 'MB',
      ratio: ours[of] / bolt[of],
      aim: { atMost },
      control: again[of] / bolt[of],
      felt: true,
    });
    return [
      beside('idle memory', 'idle', 1.35),
      beside(`memory after ${all.toLocaleString('en')} commands`, 'late', 1.6),
      {
        what: `memory in use after ${all.toLocaleString('en')} commands, garbage collected`,
        ours: ours.lateNeed,
        beside: `itself after ${early.toLocaleString('en')}`,
        other: ours.earlyNeed,
        unit: 'MB',
        ratio: ours.lateNeed / ours.earlyNeed,
        aim: { atMost: 1.1 },
        control: bolt.lateNeed / bolt.earlyNeed,
      },
    ];
  } finally {
    slack.close();
    bot.remove();
  }
};

async function memoryOf(
  start: () => Promise<Contender>,
  command: string,
  slack: SlackStandIn,
): Promise<Memory> {
  const contender = await start();
  try {
    const idle = await resident(contender);
    await ask(contender, command, early, slack);
    const earlyNeed = await needed(contender);
    await ask(contender, command, all - early, slack);
    const late = await resident(contender);
    return { idle, late, earlyNeed, lateNeed: await needed(contender) };
  } finally {
    await contender.end();
  }
}

/** Bellhop answers `/bellhop` through Slack; the peers only acknowledge their commands. */
async function ask(contender: Contender, command: string, count: number, slack: SlackStandIn): Promise<void> {
  for (let asked = 0; asked < count; asked += together) {
    const expected = slack.answers() + (command === '/bellhop' ? together : 0);
    await contender.post(together, () =>
      signedCommand({ command, text: 'help', responseUrl: slack.responseUrl }),
    );
    while (slack.answers() < expected) await delay(1);
    reportProgress(asked + together, count);
  }
}

/** After a pause, in which finished work is closed and freed. */
async function resident(contender: Contender): Promise<number> {
  await delay(1_000);
  return (await contender.usage()).rss / 1e6;
}

async function needed(contender: Contender): Promise<number> {
  await delay(1_000);
  return (await contender.usage('collected')).inUse / 1e6;
}
