import { endOfTurn } from './group-commit.ts';

/**
 * Shares one reading among all that ask for it in a turn of the event loop. The reading begins after they have asked.
 * @param read gets the requests of all of them
 */
export function shareInTurn<Asked, T>(
  read: (asked: readonly Asked[]) => Promise<T>,
): (asked: Asked) => Promise<T> {
  let next: Promise<T> | undefined;
  let waiting: Asked[] = [];
  const begin = async (): Promise<T> => {
    await endOfTurn();
    const asked = waiting;
    [next, waiting] = [undefined, []];
    return read(asked);
  };
  return (asked) => {
    waiting.push(asked);
    next ??= begin();
    return next;
  };
}
