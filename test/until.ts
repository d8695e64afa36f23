/**
 * In milliseconds. Longer than anything takes on a machine that is busy with something else. If all is well, a long
 * limit costs nothing.
 */
export const patienceMs = 60_000;
/** In milliseconds. Each check takes CPU from the awaited work, so the pauses start short and grow. */
const [firstPauseMs, longestPauseMs] = [10, 100];

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Repeats the question until there is an answer.
 * @throws Error after a minute, with the last result
 * @param pause waits before the next try
 */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  context: () => string = () => '',
  pause: (ms: number) => Promise<unknown> = pass,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline)
      throw new Error(`It did not happen within ${patienceMs / 1000} s.\n${context()}`);
    await pause(pauseMs);
  }
}
