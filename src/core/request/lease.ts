import type { StepContext } from '../context.ts';
import type { Request } from './request.ts';

/** A process's claim on a running request. */
export interface Lease {
  /**
   * False once another may have taken this process for crashed: then it must not send any more. Asks nobody, so that it
   * can be asked right before a byte leaves.
   */
  holds(): boolean;
  /** The request made a step of its own and goes on under a new version. */
  follow(request: Request): void;
  release(): void;
}

/** Clocks of replicas differ by less, in milliseconds. */
const clockMarginMs = 2000;

/** Renews the lease of a running request, three times in its life, until it is released. */
export function holdLease(context: StepContext, request: Request): Lease {
  const { clock, store, log } = context;
  const { leaseMs } = context.rulebook();
  const marginMs = Math.min(clockMarginMs, leaseMs / 4);
  let { version, leaseUntil: until = 0 } = request;
  const renew = async (): Promise<void> => {
    const next = clock.now() + leaseMs;
    const renewed = version;
    try {
      if (await store.renewLease(request.id, version, next)) until = next;
      // Another took it, unless it was this process's own next step.
      else if (renewed === version) until = 0;
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a lease could not be renewed');
    }
  };
  const release = clock.every(Math.max(leaseMs / 3, 100), () => void renew());
  return {
    holds: () => clock.now() < until - marginMs,
    follow(next) {
      ({ version, leaseUntil: until = 0 } = next);
    },
    release,
  };
}
