import { setTimeout as delay } from 'node:timers/promises';

import { type BotEnvironment, botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, cpuOfEach, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { startSlackStandIn, type SlackStandIn } from '../slack/slack-stand-in.ts';

const few = 10;
const many = 500;

/** What a command costs with 500 operations by what it costs with 10: up to the ack, and up to the answer. */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const [one, other, large] = [botEnvironment(slack), botEnvironment(slack), botEnvironment(slack)];
  const starts: Starts = {
    'receiver few': starting('programs/receiver-alone.ts', few),
    'receiver few again': starting('programs/receiver-alone.ts', few),
    'receiver many': starting('programs/receiver-alone.ts', many),
    'bot few': starting('programs/bot-with-operations.ts', few, one),
    'bot few again': starting('programs/bot-with-operations.ts', few, other),
    'bot many': starting('programs/bot-with-operations.ts', many, large),
    'bolt few': starting('peers/stock-bolt.js', few, one),
    'bolt many': starting('peers/stock-bolt.js', many, one),
  };
  try {
    const figures = await interleaveProcesses(
      starts,
      { generations: 2, rounds: 6, warmUps: 4 },
      (contender, name) => costOf(contender, name, slack),
    );
    const growth = (what: string, name: string, aim?: Comparison['aim']): Comparison => ({
      what,
      ours: figures.of(`${name} many`),
      beside: `itself with ${few}`,
      other: figures.of(`${name} few`),
      unit: 'µs CPU',
      ratio: figures.ratio(`${name} many`, `${name} few`),
      ...(aim && { aim, control: figures.ratio(`${name} few again`, `${name} few`) }),
    });
    return [
      growth(`a command up to its ack, ${many} operations`, 'receiver', { atMost: 1.05 }),
      growth(`the ack and all that follows, ${many} operations`, 'bot', { atMost: 1.05 }),
      growth(`stock Bolt, not Bellhop: ${many} listeners`, 'bolt'),
    ];
  } finally {
    slack.close();
    for (const bot of [one, other, large]) bot.remove();
  }
};

const starting = (program: string, count: number, bot?: BotEnvironment) => () =>
  startContender(program, { COUNT: String(count), ...bot?.variables });

/** `name` tells who it is, and how many operations it has; the last one is asked for. */
async function costOf(
  contender: Contender,
  name: string,
  { answers, responseUrl }: SlackStandIn,
): Promise<number> {
  const operation = `op-${name.endsWith('many') ? many : few}`;
  if (!name.startsWith('bot')) {
    // An ack alone is short: it settles, and differs between processes, only after thousands.
    const count = name.startsWith('receiver') ? 1_500 : 300;
    return cpuOfEach(contender, count, () =>
      signedCommand({ command: `/${operation}`, text: 'x', responseUrl }),
    );
  }
  const expected = answers() + 150;
  const settled = async (): Promise<void> => {
    while (answers() < expected) await delay(2);
  };
  return cpuOfEach(
    contender,
    150,
    () => signedCommand({ command: '/bench', text: `${operation} x`, responseUrl }),
    settled,
  );
}
