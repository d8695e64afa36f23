import { z } from 'zod';

import type { BotProcess } from '../../program/bot-process.ts';
import { until } from '../../until.ts';

/** The heap of the bot's process after a garbage collection, in bytes. */
export interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
}

const mark = 'memory ';

const tellOnSignal = `
process.on('SIGUSR2', () => {
  for (let times = 0; times < 3; times += 1) gc();
  process.stdout.write('\\n${mark}' + JSON.stringify(process.memoryUsage()) + '\\n');
});`;

/** Options of Node with which `weigh` works. */
export const weighable: readonly string[] = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(tellOnSignal)}`,
];

const memoryUsage = z.object({ heapUsed: z.number(), rss: z.number() });

/** Makes the bot collect its garbage. Resolves to the memory that is left in use. */
export async function weigh(bot: BotProcess): Promise<Memory> {
  const told = (): readonly string[] =>
    bot
      .output()
      .split('\n')
      .filter((line) => line.startsWith(mark));
  const before = told().length;
  bot.child.kill('SIGUSR2');
  const line = await until(async () => told()[before]);
  return memoryUsage.parse(JSON.parse(line.slice(mark.length)));
}
