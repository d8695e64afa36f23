import type { Clock } from '../model/ports.ts';

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimit {
  /** 0 if this call may pass, or the seconds until one may. Each name is counted separately. */
  take(name: string): number;
}

interface Bucket {
  readonly left: number;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** The map is bounded, because the names are those of hooks, agents or routes, and not of callers. */
export function createRateLimit(clock: Pick<Clock, 'now'>, { burst, perSecond }: Rate): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(name) {
      const now = clock.now();
      const { left, at } = buckets.get(name) ?? { left: burst, at: now };
      // A clock that was set back must not take calls away.
      const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      buckets.set(name, { left: passes ? filled - 1 : filled, at: now });
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}
