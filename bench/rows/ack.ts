import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, cpuOfEach, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn, type SlackStandIn } from '../slack/slack-stand-in.ts';

const operations = 50;
/** Commands a round. */
const aRound = 1_500;

/**
 * CPU of a signed command up to its ack, with 50 operations of which the last one is asked for. Peers acknowledge without
 * writing anything down; Bellhop does that first, so both ways are here, and the whole of what follows the ack too.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const inFolder = () => ({ COUNT: String(operations), DATA_DIR: mkdtempSync(join(folder, 'data-')) });
  const count = { COUNT: String(operations), ...bot.variables };
  const starts: Starts = {
    bare: () => startContender('peers/bare.js'),
    'bare again': () => startContender('peers/bare.js'),
    'bare, written down': () => startContender('peers/bare-written-down.js', inFolder()),
    receiver: () => startContender('programs/receiver-alone.ts', { COUNT: String(operations) }),
    'receiver, written down': () => startContender('programs/receiver-alone.ts', inFolder()),
    hubot: () => startContender('peers/hubot.js', count),
    bolt: () => startContender('peers/stock-bolt.js', count),
    bot: () => startContender('programs/bot-with-operations.ts', { ...count, ...inFolder() }),
  };
  try {
    const figures = await interleaveProcesses(
      starts,
      { generations: 2, rounds: 6, warmUps: 3 },
      (one, name) => (name === 'bot' ? wholeCost(one, slack) : ackCost(one, slack)),
    );
    const control = figures.ratio('bare again', 'bare');
    const beside = (what: string, ours: string, other: string, its: string, atMost?: number): Comparison => ({
      what,
      ours: figures.of(ours),
      beside: its,
      other: figures.of(other),
      unit: 'µs CPU',
      ratio: figures.ratio(ours, other),
      ...(atMost !== undefined && { aim: { atMost } }),
      control,
    });
    const ack = `a signed command up to its ack, ${operations} operations`;
    const durable = 'the same, written down before the ack';
    return [
      beside(ack, 'receiver', 'bare', 'bare node:http, HMAC, form', 1.25),
      beside(ack, 'receiver', 'bolt', 'stock Bolt', 0.5),
      beside(ack, 'receiver', 'hubot', 'Hubot core behind the same HTTP', 1),
      beside(durable, 'receiver, written down', 'bare, written down', 'bare and one SQLite insert', 1.25),
      beside(durable, 'receiver, written down', 'bolt', 'stock Bolt, nothing written', 0.5),
      beside('the ack and all that follows, to the answer', 'bot', 'bolt', 'stock Bolt, no answer'),
    ];
  } finally {
    slack.close();
    bot.remove();
    rmSync(folder, { recursive: true });
  }
};

/** Bolt and Hubot have a command for each operation, we one with 50 subcommands. */
const ackCost = (contender: Contender, slack: SlackStandIn): Promise<number> =>
  cpuOfEach(contender, aRound, () =>
    signedCommand({ command: `/op-${operations}`, text: 'x', responseUrl: slack.responseUrl }),
  );

/** A tenth of the commands: Slack's stand-in takes most of the time. */
function wholeCost(contender: Contender, slack: SlackStandIn): Promise<number> {
  const expected = slack.answers() + aRound / 10;
  return cpuOfEach(
    contender,
    aRound / 10,
    () => signedCommand({ command: '/bench', text: `op-${operations} x`, responseUrl: slack.responseUrl }),
    async () => {
      while (slack.answers() < expected) await delay(2);
    },
  );
}
