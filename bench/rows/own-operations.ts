import { setTimeout as delay } from 'node:timers/promises';

import { type BotEnvironment, botEnvironment } from '../slack/bot-environment.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { cpuOfEach, startContender } from '../measure/contender.ts';
import { interleave } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { signedCommand } from '../slack/slack-payloads.ts';
import { type SlackStandIn, startSlackStandIn } from '../slack/slack-stand-in.ts';
import { timeStart } from './cold-start.ts';

const operations = 30;
const targetsOfEach = 1000;

const operationText = (number: number): string => `
export const verb${number} = operation({
  name: 'own.verb-${number}', summary: 'Does it.', risk: 'destructive',
  input: z.strictObject({
    target: z.string().max(60).describe('Which.').meta({ positional: true, target: 'kind-${number}' }),
    pid: z.int().positive().max(4194304).describe('A number.').meta({ positional: true }),
  }),
  run: async () => {},
});`;

const numbers = Array.from({ length: operations }, (_, number) => number);

const own = {
  files: { 'own.ts': `import { operation, z } from 'bellhop';\n${numbers.map(operationText).join('\n')}` },
  yaml: `operations: [./own.ts]\ntargets:\n${numbers.map(kindText).join('')}`,
};

function kindText(number: number): string {
  const targets = Array.from(
    { length: targetsOfEach },
    (_, target) => `    t-${target}: { url: secret:t-${target}, labels: { env: staging } }\n`,
  );
  return `  kind-${number}:\n${targets.join('')}`;
}

/**
 * The bot with thirty own operations of a thousand targets each, compared with the same bot without them: its start, acks and
 * memory.
 */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const without = botEnvironment(slack);
  const withOwn = botEnvironment(slack, own);
  try {
    const help = () => signedCommand({ command: '/bellhop', text: 'help', responseUrl: slack.responseUrl });
    const starting =
      ({ variables }: BotEnvironment) =>
      (): Promise<number> =>
        timeStart(production.program, variables, help);
    const starts = await interleave(
      { without: starting(without), 'without again': starting(without), own: starting(withOwn) },
      { rounds: 2, warmUps: 0 },
    );
    const [plain, loaded] = [await livingOf(without, slack), await livingOf(withOwn, slack)];
    const beside = (what: string, ours: number, other: number, unit: string): Comparison => ({
      what: `${what}, with ${operations} own operations and ${targetsOfEach.toLocaleString('en')} targets each`,
      ours,
      beside: 'itself without them',
      other,
      unit,
      ratio: ours / other,
    });
    return [
      {
        ...beside('cold start', starts.of('own'), starts.of('without'), 'ms'),
        ratio: starts.ratio('own', 'without'),
        control: starts.ratio('without again', 'without'),
      },
      beside('a command, all that it costs', loaded.cpu, plain.cpu, 'µs CPU'),
      beside('idle memory', loaded.idle, plain.idle, 'MB'),
    ];
  } finally {
    slack.close();
    without.remove();
    withOwn.remove();
  }
};

const commands = 500;

async function livingOf({ variables }: BotEnvironment, slack: SlackStandIn) {
  const bot = await startContender(production.program, variables, production.nodeOptions);
  try {
    await delay(1000);
    const idle = (await bot.usage()).rss / 1e6;
    const payload = () =>
      signedCommand({ command: '/bellhop', text: 'help', responseUrl: slack.responseUrl });
    await cpuOfEach(bot, commands, payload);
    return { idle, cpu: await cpuOfEach(bot, commands, payload) };
  } finally {
    await bot.end();
  }
}
