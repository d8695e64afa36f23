import { endOfTurn } from './group-commit.ts';

/**
 * All callers in one turn of the event loop share one reading, which begins after the turn.
 * @param read gets the questions of all callers
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
