/**
 * CPU that this process spends on work, in microseconds, kernel time included: Linux tells the sum exactly, but splits
 * it between user and kernel by sampling at clock ticks, too coarsely for rounds of some milliseconds.
 */
export async function cpuOf(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
