/** Characters of the shorter text; the longer one has `factor` times as many. */
const shorter = 2_000;
const factor = 16;

/** What `growth` of linear work stays below, with room for a busy machine: half way to quadratic, on a scale of powers. */
export const linear = factor ** 1.5;

/**
 * How many times as long the work takes on 16 times as much text: about 16 where it is linear, 256 where it is
 * quadratic. Each at its quickest of several tries, so that a busy machine changes little.
 */
export function growth(pattern: string, work: (text: string) => unknown, longest = shorter * factor): number {
  const long = filled(pattern, longest);
  const short = filled(pattern, longest / factor);
  // The engine compiles what it runs for a second time.
  for (let warmUp = 0; warmUp < 20; warmUp += 1) work(short);
  return quickest(5, () => work(long)) / quickest(50, () => work(short));
}

const filled = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

function quickest(tries: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries; tried += 1) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
