/** Loaded before a contender (`--import`): tells the bench what this process uses, and ends with the bench. */
process.on('message', (wanted) => {
  const { user, system } = process.cpuUsage();
  if (wanted === 'collected') {
    globalThis.gc();
    // What the first one found to have a last word to say goes with the second.
    globalThis.gc();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ user, system, rss, inUse: heapUsed + external });
});
process.once('disconnect', () => process.exit());
