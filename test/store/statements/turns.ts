import { setImmediate as immediately } from 'node:timers/promises';

/** Asks the database or the service once it is the question's turn. */
export type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

/** After so many turns of the event loop, nothing more comes of an answer by itself. */
const calmTurns = 12;

/** Also lets files be written, in threads that take their time. */
export async function nextTurn(): Promise<void> {
  do await immediately();
  while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')));
}

/**
 * Asks one question at a time, in their order, and each one once all is done that follows from the answer before. So it
 * does not depend on the machine which of them meet.
 * @param inTransit how many requests are between two programs
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
