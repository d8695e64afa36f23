import type { Clock, Log } from '../../model/ports.ts';

interface JobPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** A job that keeps failing is logged once in so long, in milliseconds. */
const logAgainMs = 60_000;

/**
 * Runs `round` at once and then every so many milliseconds, until the returned function is called. The next round begins
 * only when the one before has ended; a failed one is logged and tried again.
 */
export function startPeriodic(
  name: string,
  everyMs: number,
  round: () => Promise<void>,
  { clock, log }: JobPorts,
): () => void {
  let busy = false;
  let loggedAt: number | undefined;

  const failed = (error: unknown): void => {
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < logAgainMs) return;
    loggedAt = now;
    log.warn({ err: error, job: name }, 'job failed; it is tried again');
  };
  const succeeded = (): void => {
    if (loggedAt !== undefined) log.info({ job: name }, 'job works again');
    loggedAt = undefined;
  };
  const once = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      await round();
      succeeded();
    } catch (error) {
      failed(error);
    } finally {
      busy = false;
    }
  };

  void once();
  return clock.every(everyMs, () => void once());
}
