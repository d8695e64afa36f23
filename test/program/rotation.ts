import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type Answer, startRelay } from './relay.ts';
import type { Stage } from './stage.ts';

/** Replaces a secret's file as an operator should: writes a new file next to it, then moves it, so that nothing reads half of it. */
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

/** Does something again and again, several times at once. */
export function repeat(atOnce: number, work: (number: number) => Promise<void>) {
  const all = { begun: 0, done: 0, ends: false };
  const one = async (): Promise<void> => {
    while (!all.ends) {
      await work((all.begun += 1));
      all.done += 1;
      // People pause, too; without one, this takes a whole core for as long as a bot starts.
      await sleep(20);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, one));
  return {
    /** Resolves once as many more were begun and done. */
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

/** Stands before a program that knows one `Authorization` for ever, and knows itself which are valid now. */
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
    /** Each that was shown, oldest first. */
    shown,
    /** Its address, before what is at this one. */
    before(url: string): string {
      target = url;
      return relay.url;
    },
    close: () => relay.close(),
  };
}
