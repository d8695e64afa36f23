import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type Answer, startRelay } from './relay.ts';
import type { Stage } from './stage.ts';

/**
 * Replaces a secret's file as an operator should: writes a new file next to it, then moves that file, so that no one
 * reads half of it.
 */
export function secretFile(first: string, file = join(temporaryFolder(), 'secret')) {
  const write = (text: string): void => {
    writeFileSync(`${file}.next`, `${text}\n`);
    renameSync(`${file}.next`, file);
  };
  write(first);
  return { file, write };
}

/** How often the bot has read the file of a variable again. */
export const rereads = (stage: Stage, variable: string): number =>
  stage.bot.output().split(`"variable":"${variable}"`).length - 1;

/** Repeats work, with several runs at once. */
export function repeat(atOnce: number, work: (number: number) => Promise<void>) {
  const all = { begun: 0, done: 0, ends: false };
  const one = async (): Promise<void> => {
    while (!all.ends) {
      await work((all.begun += 1));
      all.done += 1;
      // People pause, too. Without a pause, this uses a whole core while a bot starts.
      await sleep(20);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, one));
  return {
    /** Resolves once this many more runs were begun and done. */
    async more(count: number): Promise<void> {
      const enough = all.begun + count;
      await Promise.race([until(() => all.done >= enough), running]);
    },
    async end(): Promise<void> {
      all.ends = true;
      await running;
    },
  };
}

/** A proxy in front of a program that knows only one `Authorization`. The proxy knows which values are valid now. */
export async function startGate(known: string, refusal: Answer) {
  const valid = new Set([known]);
  const shown: string[] = [];
  let target = '';
  const relay = await startRelay(
    () => target,
    async ({ headers: { authorization = '' } }, forward) => {
      shown.push(authorization);
      return valid.has(authorization) ? forward({ headers: { authorization: known } }) : refusal;
    },
  );
  return {
    valid,
    /** The values that were sent, oldest first. */
    shown,
    /** The proxy's address, which stands for this one. */
    before(url: string): string {
      target = url;
      return relay.url;
    },
    close: () => relay.close(),
  };
}
