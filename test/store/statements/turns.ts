import { setImmediate as immediately } from 'node:timers/promises';

/** Asks the database or the service when the turn of the question has come. */
export type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

/** After this many turns of the event loop, an answer has no further effects by itself. */
const calmTurns = 12;

/** Also gives the threads that write files time to finish. */
export async function nextTurn(): Promise<void> {
  do await immediately();
  while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')));
}

/**
 * Asks one question at a time, in order. The next question is asked only when everything that follows from the previous
 * answer is done. So the machine does not decide which questions are asked together.
 * @param inTransit returns the number of requests between two programs
 */
export function createTurns(inTransit: () => number): InTurn {
  const calm = async (): Promise<void> => {
    for (let turns = 0; turns < calmTurns; turns += 1) {
      await nextTurn();
      if (inTransit() > 0) turns = 0;
    }
  };
  let before: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const answer = before.then(calm).then(ask);
    before = answer.catch(() => undefined);
    return answer;
  };
}
