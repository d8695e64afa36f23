/** Asks again and again until there is an answer; after 15 s, or `ms`, says what was there instead. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  context: () => string = () => '',
  ms = 15_000,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`It did not happen within ${ms} ms.\n${context()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
