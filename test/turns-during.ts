import { setImmediate as nextTurn } from 'node:timers/promises';

/** Counts the turns of the event loop until the work is done. */
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
