import { setTimeout as delay } from 'node:timers/promises';

import { botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { production } from '../measure/production.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn, type SlackStandIn } from '../slack/slack-stand-in.ts';

/** As many as the bot answers in half a minute on a slow day. */
const all = 30_000;
const early = 10_000;
/** So many at a time: the bot turns commands away when 1,000 are in hand. */
const together = 200;

/** In MB. */
interface Memory {
  /** Resident. */
  readonly idle: number;
  readonly late: number;
  /** Still needed. */
  readonly earlyNeed: number;
  readonly lateNeed: number;
}

/**
 * Memory of the bot as production runs it, just started and after many commands, each answered before the next but a few.
 * Peers acknowledge and do nothing else.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const environment = { COUNT: '50', ...bot.variables };
  try {
    const bare = await memoryOf(() => startContender('peers/bare.js'), '/op-50', slack);
    const again = await memoryOf(() => startContender('peers/bare.js'), '/op-50', slack);
    const bolt = await memoryOf(() => startContender('peers/stock-bolt.js', environment), '/op-50', slack);
    const ours = await memoryOf(
      () => startContender(production.program, environment, production.nodeOptions),
      '/bellhop',
      slack,
    );
    const beside = (
      what: string,
      of: 'idle' | 'late',
      its: string,
      other: Memory,
      atMost?: number,
    ): Comparison => ({
      what,
      ours: ours[of],
      beside: its,
      other: other[of],
      unit: 'MB',
      ratio: ours[of] / other[of],
      ...(atMost !== undefined && { aim: { atMost } }),
      control: again[of] / bare[of],
    });
    const after = `memory after ${all.toLocaleString('en')} commands`;
    return [
      beside('idle memory', 'idle', 'bare node:http', bare),
      beside('idle memory', 'idle', 'stock Bolt', bolt, 1.35),
      beside(after, 'late', 'bare node:http', bare),
      beside(after, 'late', 'stock Bolt', bolt, 1.6),
      {
        what: `memory in use after ${all.toLocaleString('en')} commands, garbage collected`,
        ours: ours.lateNeed,
        beside: `itself after ${early.toLocaleString('en')}`,
        other: ours.earlyNeed,
        unit: 'MB',
        ratio: ours.lateNeed / ours.earlyNeed,
        aim: { atMost: 1.1 },
        control: bare.lateNeed / bare.earlyNeed,
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

/** `/bellhop` is answered, through Slack; the peers' commands only acknowledged. */
async function ask(contender: Contender, command: string, count: number, slack: SlackStandIn): Promise<void> {
  for (let asked = 0; asked < count; asked += together) {
    const expected = slack.answers() + (command === '/bellhop' ? together : 0);
    await contender.post(together, () =>
      signedCommand({ command, text: 'help', responseUrl: slack.responseUrl }),
    );
    while (slack.answers() < expected) await delay(1);
  }
}

/** After a pause, in which what is over is closed and freed. */
async function resident(contender: Contender): Promise<number> {
  await delay(1_000);
  return (await contender.usage()).rss / 1e6;
}

async function needed(contender: Contender): Promise<number> {
  await delay(1_000);
  return (await contender.usage('collected')).inUse / 1e6;
}
