import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Comparison, Measure } from '../comparison.ts';
import { cpuOfEach, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { programs } from '../measure/production.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

const listeners = 50;
/** Commands a round. */
const aRound = 1_500;

/**
 * CPU of a signed command up to its ack, without the work that follows. Peers acknowledge without storing anything. Bellhop
 * stores the command first, so both variants are here.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const inFolder = () => ({ DATA_DIR: mkdtempSync(join(folder, 'data-')) });
  const peer = { COUNT: String(listeners), SLACK_BOT_TOKEN: 'xoxb-bench', SLACK_API_URL: slack.apiUrl };
  const starts: Starts = {
    bare: () => startContender('peers/bare.js'),
    'bare again': () => startContender('peers/bare.js'),
    'bare, written down': () => startContender('peers/bare-written-down.js', inFolder()),
    receiver: () => startContender(programs.receiver),
    'receiver, written down': () => startContender(programs.receiver, inFolder()),
    hubot: () => startContender('peers/hubot.js', peer),
    bolt: () => startContender('peers/stock-bolt.js', peer),
  };
  // Bolt and Hubot have a command for each operation.
  const payload = () =>
    signedCommand({ command: `/op-${listeners}`, text: 'x', responseUrl: slack.responseUrl });
  try {
    const figures = await interleaveProcesses(starts, { generations: 2, rounds: 6, warmUps: 3 }, (one) =>
      cpuOfEach(one, aRound, payload),
    );
    const control = figures.ratio('bare again', 'bare');
    const beside = (what: string, ours: string, other: string, its: string, atMost: number): Comparison => ({
      what,
      ours: figures.of(ours),
      beside: its,
      other: figures.of(other),
      unit: 'µs CPU',
      ratio: figures.ratio(ours, other),
      aim: { atMost },
      control,
    });
    const ack = 'a signed command up to its ack';
    const durable = 'the same, written down before the ack';
    return [
      beside(ack, 'receiver', 'bare', 'bare node:http, HMAC, form', 1.5),
      beside(ack, 'receiver', 'bolt', 'stock Bolt', 0.5),
      beside(ack, 'receiver', 'hubot', 'Hubot core behind the same HTTP', 1),
      beside(durable, 'receiver, written down', 'bare, written down', 'bare and one SQLite insert', 1.4),
    ];
  } finally {
    slack.close();
    rmSync(folder, { recursive: true });
  }
};
