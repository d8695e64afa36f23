import type { Clock } from '../../model/ports.ts';

/** A storm of thousands of groups is one delivery each: these pass at once, a flood does not. */
const burst = 3_000;
const perSecond = 50;

/** Lets a number of deliveries through at once and then so many a second, each name by itself. */
export interface RateLimit {
  /** 0 where this one may pass; else the seconds until one may. */
  take(name: string): number;
}

interface Bucket {
  readonly left: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Names are those of hooks: as many as there are in bellhop.yaml. */
export function createRateLimit(clock: Pick<Clock, 'now'>): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(name) {
      const now = clock.now();
      const { left, at } = buckets.get(name) ?? { left: burst, at: now };
      // Nothing is gained while the clock is set back.
      const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      buckets.set(name, { left: passes ? filled - 1 : filled, at: now });
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}
