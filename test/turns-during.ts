import { setImmediate as nextTurn } from 'node:timers/promises';

/** How often the event loop comes round until the work is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const controller = new AbortController();
  const { signal } = controller;
  const over = work.finally(() => controller.abort());
  while (!signal.aborted) {
    await nextTurn();
    turns += 1;
  }
  await over;
  return turns;
}
