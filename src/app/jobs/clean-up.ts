import type { Clock, Log } from '../../core/model/ports.ts';
import type { Store } from '../../store/store.ts';

interface CleanUpParts {
  readonly store: Pick<Store, 'claimOnce' | 'removeSettled'>;
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

/**
 * Removes requests that were settled long ago, some thousand a minute at most. One replica does it: the name of a round
 * can be claimed once. The audit is never touched.
 */
export async function cleanUp({ store, clock, log, keepMs, onRemoved }: CleanUpParts): Promise<void> {
  const now = clock.now();
  if (!(await store.claimOnce('job: clean-up', now, roundMs))) return;
  let removed = 0;
  for (let step = 0; step < mostSteps; step += 1) {
    const count = await store.removeSettled(now - keepMs(), stepRows);
    removed += count;
    if (count < stepRows) break;
    await clock.wait(pauseMs);
  }
  if (removed === 0) return;
  onRemoved(removed);
  log.info({ removed }, 'requests that were settled long ago were removed');
}
