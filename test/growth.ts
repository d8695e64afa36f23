/** Linear work takes less, even on a slow machine; quadratic work on 16,000 letters takes ten times as long. In microseconds. */
const suspicious = 25_000;

/** The lengths of the texts that are compared differ by this factor. */
const factor = 16;

/** Half way from linear to quadratic, on a scale of powers. */
const linear = factor ** 1.75;

/**
 * Whether the time of the work grows faster than its text, which repeats `pattern`. Measured in CPU time, so that a busy
 * machine changes nothing. What is slow already at a part of the length is not run at all of it.
 * @param longest the length of the longest text
 */
export function growsFaster(pattern: string, work: (text: string) => unknown, longest = 32_000): boolean {
  // Quadratic work on a short text is quick, too.
  const slow = longest < 15_000 ? 0 : suspicious;
  for (let length = longest / 64; length <= longest; length *= 4) {
    const text = filled(pattern, length);
    if (timeOf(() => work(text)) > slow && growth(pattern, work, length) >= linear) return true;
  }
  return false;
}

/** How many times as long the work takes on 16 times as much text: about 16 if it is linear, 256 if it is quadratic. */
function growth(pattern: string, work: (text: string) => unknown, longest: number): number {
  const long = filled(pattern, longest);
  const short = filled(pattern, longest / factor);
  // The engine compiles code when the code runs again.
  for (let warmUp = 0; warmUp < 20; warmUp += 1) work(short);
  return meanTimeOf(() => work(long)) / meanTimeOf(() => work(short));
}

const filled = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

/** In microseconds of the processor. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/**
 * In microseconds. The shortest time that can be measured, because systems count CPU time in steps of some
 * milliseconds.
 */
const measurable = 40_000;

/** The time of one run, in microseconds. */
function meanTimeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= measurable) return (user + system) / runs;
  }
}
