import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'undici';

import { botEnvironment } from '../bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { accepts, environmentOf, freePort, sendOver } from '../contender.ts';
import { interleave, median } from '../interleave.ts';
import { signedCommand, type SignedPayload } from '../slack-payloads.ts';
import { startSlackStandIn } from '../slack-stand-in.ts';

/** Milliseconds. */
interface Start {
  /** From the spawn to the answer to the first command. */
  readonly whole: number;
  /** From sending that command to its answer. */
  readonly firstAck: number;
}

/** Thrown away: the first of them fill caches, of the disk and of what Node compiles. */
const warmUps = 2;

/** From the spawn of the program as production starts it to its first ack; what it has stored is there already. */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const bot = botEnvironment(slack);
  const firstAcks: number[] = [];
  const starting = (program: string, command: string) => async (): Promise<number> => {
    const payload = () => signedCommand({ command, text: 'help', responseUrl: slack.responseUrl });
    const { whole, firstAck } = await timeStart(program, { COUNT: '50', ...bot.variables }, payload);
    if (command === '/bellhop') firstAcks.push(firstAck);
    return whole;
  };
  try {
    const figures = await interleave(
      {
        bare: starting('peers/bare.js', '/op-50'),
        'bare again': starting('peers/bare.js', '/op-50'),
        bolt: starting('peers/stock-bolt.js', '/op-50'),
        bot: starting('../src/start.js', '/bellhop'),
      },
      { rounds: 9, warmUps },
    );
    const control = figures.ratio('bare again', 'bare');
    const beside = (name: string, its: string, atMost: number): Comparison => ({
      what: 'cold start, from the spawn to the first ack',
      ours: figures.of('bot'),
      beside: its,
      other: figures.of(name),
      unit: 'ms',
      ratio: figures.ratio('bot', name),
      aim: { atMost },
      control,
    });
    const firstAck = median(firstAcks.slice(warmUps));
    return [
      beside('bare', 'bare node:http', 2),
      beside('bolt', 'stock Bolt, 50 listeners', 1),
      {
        what: "the first person's ack after it",
        ours: firstAck,
        beside: 'the aim',
        other: mostForFirstAck,
        unit: 'ms',
        ratio: firstAck / mostForFirstAck,
        aim: { atMost: 1 },
      },
    ];
  } finally {
    slack.close();
    bot.remove();
  }
};

/** Milliseconds. */
const mostForFirstAck = 5;

async function timeStart(
  program: string,
  environment: Readonly<Record<string, string>>,
  payload: () => SignedPayload,
): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', program)], {
    env: environmentOf(port, environment),
    stdio: 'ignore',
  });
  const client = new Client(`http://127.0.0.1:${port}`);
  try {
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`${program} has ended`);
      await delay(1);
    }
    const sent = performance.now();
    await sendOver(client, payload());
    const answered = performance.now();
    return { whole: answered - began, firstAck: answered - sent };
  } finally {
    await client.destroy();
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}
