import type { Clock } from '../clock.ts';

interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Token buckets by key. */
export interface RateLimits {
  /** Counts one call. Returns 0 if it may pass, otherwise the whole seconds to wait. */
  take(key: string, rate: Rate): number;
}

export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(key, { burst, perSecond }) {
      const now = clock.now();
      const bucket = buckets.get(key) ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
      const allowed = tokens >= 1;
      buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
      return allowed ? 0 : Math.ceil((1 - tokens) / perSecond);
    },
  };
}
