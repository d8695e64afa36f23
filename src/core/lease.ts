import type { Environment } from './environment.ts';
import type { Request } from './request.ts';

/** A process's claim on a running request. */
export interface Lease {
  /** False once another may have taken this process for crashed: then it must not send any more. */
  holds(): boolean;
  /** The request made a step of its own and goes on under a new version. */
  follow(request: Request): void;
  release(): void;
}

/** Renews the lease of a running request, three times in its life, until it is released. */
export function holdLease(environment: Environment, request: Request): Lease {
  const { clock, store, log } = environment;
  const { leaseMs } = environment.rulebook();
  let { version, leaseUntil: until = 0 } = request;
  const renew = async (): Promise<void> => {
    const next = clock.now() + leaseMs;
    try {
      if (await store.renewLease(request.id, version, next)) until = next;
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a lease could not be renewed');
    }
  };
  const release = clock.every(Math.max(leaseMs / 3, 100), () => void renew());
  return {
    holds: () => clock.now() < until,
    follow(next) {
      ({ version, leaseUntil: until = 0 } = next);
    },
    release,
  };
}
