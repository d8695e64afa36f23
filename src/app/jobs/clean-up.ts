import type { Clock, Log } from '../../model/ports.ts';
import type { Store } from '../../store/store.ts';

interface CleanUpParts {
  readonly store: Pick<Store, 'claimOnce' | 'removeSettled' | 'removeAlerts'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a settled request is kept, in milliseconds. */
  readonly keepMs: () => number;
  readonly onRemoved: (requests: number) => void;
}

/** Once in so long among all replicas, in milliseconds. */
const roundMs = 60_000;
/** Rows in one transaction, so that nobody waits long behind it. */
const stepRows = 100;
const mostSteps = 50;
const pauseMs = 20;
/** Their sources tell again of what still fires, every few hours. */
const alertsKeptMs = 7 * 24 * 3_600_000;

/**
 * Removes requests that were settled long ago, and alerts that nothing is heard of, some thousand a minute at most. One replica does it: the name of a round
 * can be claimed once. The audit is never touched.
 */
export async function cleanUp({ store, clock, log, keepMs, onRemoved }: CleanUpParts): Promise<void> {
  const now = clock.now();
  if (!(await store.claimOnce('job: clean-up', now, roundMs))) return;
  const removed = await inSteps(clock, (rows) => store.removeSettled(now - keepMs(), rows));
  const alerts = await inSteps(clock, (rows) => store.removeAlerts(now - alertsKeptMs, rows));
  if (alerts > 0) log.info({ removed: alerts }, 'alerts that nothing was heard of for long were removed');
  if (removed === 0) return;
  onRemoved(removed);
  log.info({ removed }, 'requests that were settled long ago were removed');
}

/** @returns how many rows were removed */
async function inSteps(
  clock: Pick<Clock, 'wait'>,
  remove: (limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (let step = 0; step < mostSteps; step += 1) {
    const count = await remove(stepRows);
    removed += count;
    if (count < stepRows) break;
    await clock.wait(pauseMs);
  }
  return removed;
}
