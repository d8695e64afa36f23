import type { StepContext } from '../../model/context.ts';
import type { Request } from '../../model/request.ts';

/** A process's claim on a running request. */
export interface Lease {
  /**
   * False once another may have taken this process for crashed: then it must not send any more. Asks nobody, so that it
   * can be asked right before a byte leaves.
   */
  holds(): boolean;
  release(): void;
}

/** What was claimed, and how. */
export interface Claim extends Pick<Request, 'id'> {
  readonly runner: string;
  /** Before it was asked for, by the clock of this process, in epoch milliseconds. */
  readonly askedAt: number;
  readonly leaseMs: number;
}

/** Clocks of replicas and server run apart by less during a lease, in milliseconds. */
const clockMarginMs = 2000;

/**
 * Renews the lease of a running request, three times in its life, until it is released. Its end is for the database to know;
 * here it counts from before each question, so that it ends here first.
 */
export function holdLease(
  { clock, store, log }: StepContext,
  { id, runner, askedAt, leaseMs }: Claim,
): Lease {
  const marginMs = Math.min(clockMarginMs, leaseMs / 4);
  let until = askedAt + leaseMs;
  const renew = async (): Promise<void> => {
    const now = clock.now();
    try {
      until = (await store.renewLease(id, runner, leaseMs, now)) ? now + leaseMs : 0;
    } catch (error) {
      log.warn({ err: error, requestId: id }, 'a lease could not be renewed');
    }
  };
  const release = clock.every(Math.max(leaseMs / 3, 100), () => void renew());
  return { holds: () => clock.now() < until - marginMs, release };
}
