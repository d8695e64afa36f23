import type { Clock, Log } from '../../core/model/ports.ts';

interface DutyPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** What fails every second is told of once in so long, in milliseconds. */
const toldAgainMs = 60_000;

/**
 * Does `round` at once and then every so many milliseconds, until the returned function is called. The next round begins
 * only when the one before has ended; one that fails is told of, and tried again.
 */
export function startPeriodic(
  name: string,
  everyMs: number,
  round: () => Promise<void>,
  { clock, log }: DutyPorts,
): () => void {
  let busy = false;
  let toldAt: number | undefined;

  const failed = (error: unknown): void => {
    const now = clock.now();
    if (toldAt !== undefined && Math.abs(now - toldAt) < toldAgainMs) return;
    toldAt = now;
    log.warn({ err: error, duty: name }, 'a duty failed; it is tried again');
  };
  const succeeded = (): void => {
    if (toldAt !== undefined) log.info({ duty: name }, 'a duty that failed works again');
    toldAt = undefined;
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
