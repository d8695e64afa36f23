import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'undici';

import { botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { accepts, environmentOf, freePort, sendOver } from '../measure/contender.ts';
import { type Figures, interleave } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { signedCommand, type SignedPayload } from '../slack/slack-payloads.ts';
import { startSlackStandIn } from '../slack/slack-stand-in.ts';

/** Warm-up rounds, which fill the caches of the disk and of Node's compiler. */
const warmUps = 2;

/**
 * From spawning the program as production does, with an existing store, to its first ack; and how long the first ack takes if it
 * has been up for a moment.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const starting =
    (
      program: string,
      command: string,
      asks?: 'at once' | 'later',
      cache: Readonly<Record<string, string>> = {},
    ) =>
    (): Promise<number> =>
      timeStart(
        program,
        { COUNT: '50', ...bot.variables, ...cache },
        () => signedCommand({ command, text: 'help', responseUrl: slack.responseUrl }),
        asks,
      );
  try {
    const figures = await interleave(
      {
        bolt: starting('peers/stock-bolt.js', '/op-50'),
        'bolt again': starting('peers/stock-bolt.js', '/op-50'),
        bot: starting(production.program, '/bellhop'),
        'first person': starting(production.program, '/bellhop', 'later'),
        'bot uncached': starting(production.program, '/bellhop', 'at once', uncached),
      },
      { rounds: 9, warmUps },
    );
    return comparisonsOf(figures);
  } finally {
    slack.close();
    bot.remove();
  }
};

function comparisonsOf(figures: Figures): readonly Comparison[] {
  const firstAck = figures.of('first person');
  return [
    {
      what: 'cold start, from the spawn to the first ack',
      ours: figures.of('bot'),
      beside: 'stock Bolt, 50 listeners',
      other: figures.of('bolt'),
      unit: 'ms',
      ratio: figures.ratio('bot', 'bolt'),
      aim: { atMost: 1.2 },
      control: figures.ratio('bolt again', 'bolt'),
      felt: true,
    },
    {
      what: 'cold start without a compile cache',
      ours: figures.of('bot uncached'),
      beside: 'stock Bolt, which has none',
      other: figures.of('bolt'),
      unit: 'ms',
      ratio: figures.ratio('bot uncached', 'bolt'),
      aim: { atMost: 1.3 },
      control: figures.ratio('bolt again', 'bolt'),
    },
    {
      what: 'the first ack after a start',
      ours: firstAck,
      beside: 'the aim',
      other: maxForFirstAck,
      unit: 'ms',
      ratio: firstAck / maxForFirstAck,
      aim: { atMost: 1 },
    },
  ];
}

/** Milliseconds. */
const maxForFirstAck = 5;

/** As for a user that may not write where the program lies. */
const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' };

/** From the spawn to the ack of a command that is sent as soon as the program listens. `later`: only the ack itself. */
export async function timeStart(
  program: string,
  environment: Readonly<Record<string, string>>,
  payload: () => SignedPayload,
  asks: 'at once' | 'later' = 'at once',
): Promise<number> {
  const port = await freePort();
  const options = program === production.program ? production.nodeOptions : [];
  const began = performance.now();
  const child = spawn(process.execPath, [...options, join(import.meta.dirname, '..', program)], {
    env: environmentOf(port, environment),
    stdio: 'ignore',
  });
  const client = new Client(`http://127.0.0.1:${port}`);
  try {
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`${program} has ended`);
      await delay(1);
    }
    if (asks === 'later') await delay(300);
    const from = asks === 'later' ? performance.now() : began;
    await sendOver(client, payload());
    return performance.now() - from;
  } finally {
    await client.destroy();
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}
