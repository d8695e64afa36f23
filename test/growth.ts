/** The length of the shorter text. The longer text is `factor` times as long. */
const shorter = 2_000;
const factor = 16;

/** The upper bound of `growth` for linear work: half way to quadratic, on a scale of powers. */
export const linear = factor ** 1.75;

/**
 * How many times as long the work takes on 16 times as much text: about 16 if it is linear, 256 if it is quadratic.
 * Measured in CPU time, so that a busy machine changes nothing.
 */
export function growth(pattern: string, work: (text: string) => unknown, longest = shorter * factor): number {
  const long = filled(pattern, longest);
  const short = filled(pattern, longest / factor);
  // The engine compiles code when the code runs again.
  for (let warmUp = 0; warmUp < 20; warmUp += 1) work(short);
  return timeOf(() => work(long)) / timeOf(() => work(short));
}

const filled = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

/**
 * In microseconds. The shortest time that can be measured, because systems count CPU time in steps of some
 * milliseconds.
 */
const measurable = 40_000;

/** The time of one run, in microseconds. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= measurable) return (user + system) / runs;
  }
}
