import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Comparison, Measure } from '../comparison.ts';
import { cpuOfEach, startContender } from '../measure/contender.ts';
import { type FleetOptions, interleaveProcesses, type Starts } from '../measure/fleet.ts';
import type { Figures } from '../measure/interleave.ts';
import { programs } from '../measure/production.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

const listeners = 50;
/** Commands a round. */
const aRound = 1_500;
/** After so many commands, V8 has compiled all that they use. */
const warmAfter = 50_000;

const beside = (
  figures: Figures,
  what: string,
  [ours, other]: readonly [string, string],
  its: string,
  atMost: number,
): Comparison => ({
  what,
  ours: figures.of(ours),
  beside: its,
  other: figures.of(other),
  unit: 'µs CPU',
  ratio: figures.ratio(ours, other),
  aim: { atMost },
  control: figures.ratio('bare again', 'bare'),
});

/** Peers acknowledge without storing anything. Bellhop stores the command first, so both variants are here. */
const ack = (figures: Figures, when: string): readonly Comparison[] => [
  beside(
    figures,
    `a signed command up to its ack, ${when}`,
    ['receiver', 'bare'],
    'bare node:http, HMAC, form',
    2,
  ),
  beside(figures, `a signed command up to its ack, ${when}`, ['receiver', 'bolt'], 'stock Bolt', 0.5),
];

/** The CPU of a signed command up to its ack, without the work that follows. */
export const measure: Measure = async () => {
  const figures = await measureFleet(() => true, { generations: 2, rounds: 6, warmUps: 3 });
  return [
    ...ack(figures, 'at the start'),
    beside(
      figures,
      'a signed command up to its ack, at the start',
      ['receiver', 'hubot'],
      'Hubot core behind the same HTTP',
      1,
    ),
    beside(
      figures,
      'the same, written down before the ack',
      ['receiver, written down', 'bare, written down'],
      'bare and one SQLite insert',
      1.4,
    ),
  ];
};

const comparedWarm: ReadonlySet<string> = new Set(['bare', 'bare again', 'receiver', 'bolt']);

export const measureWarm: Measure = async () => {
  const figures = await measureFleet((name) => comparedWarm.has(name), {
    generations: 1,
    rounds: 12,
    warmUps: Math.ceil(warmAfter / aRound),
  });
  return ack(figures, `after ${warmAfter.toLocaleString('en')} commands`);
};

async function measureFleet(isIn: (name: string) => boolean, options: FleetOptions): Promise<Figures> {
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
    return await interleaveProcesses(
      Object.fromEntries(Object.entries(starts).filter(([name]) => isIn(name))),
      options,
      (one) => cpuOfEach(one, aRound, payload),
    );
  } finally {
    slack.close();
    rmSync(folder, { recursive: true });
  }
}
