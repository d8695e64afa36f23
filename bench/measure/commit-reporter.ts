/** Loaded before the bot (`--import`): reports each commit's time to the bench, and delays it by `FLUSH_ADDED_MS`. */
import { delayCommits } from './flush.ts';

delayCommits(Number(process.env['FLUSH_ADDED_MS']), () =>
  process.send?.({ committedAt: performance.timeOrigin + performance.now() }),
);
process.once('disconnect', () => process.exit());
