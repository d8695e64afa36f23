/**
 * CPU that this process spends on work, in microseconds, kernel time included: Linux reports the sum exactly, but samples the
 * split between user and kernel at clock ticks, which is too coarse for rounds of some milliseconds.
 */
export async function cpuOf(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
