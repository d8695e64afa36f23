/** Loaded before a contender (`--import`): reports to the bench what this process uses, and ends with the bench. */
process.on('message', (wanted) => {
  const { user, system } = process.cpuUsage();
  if (wanted === 'collected') {
    globalThis.gc();
    // Objects with a finalizer survive the first collection. The second one frees them.
    globalThis.gc();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ user, system, rss, inUse: heapUsed + external });
});
process.once('disconnect', () => process.exit());
