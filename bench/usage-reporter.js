/** Loaded before a contender (`--import`): tells the bench what this process uses, and ends with the bench. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ user, system, rss: process.memoryUsage.rss() });
});
process.once('disconnect', () => process.exit());
