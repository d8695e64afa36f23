import type { Clock } from '../../core/model/ports.ts';

/**
 * Remembers until when Slack wants no more of a method in a channel. Nobody else is held up: other methods and other
 * channels go on.
 */
export interface RateGate {
  /** Milliseconds until `key` may be tried again, 0 where it may be now. */
  remaining(key: string): number;
  close(key: string, seconds: number): void;
}

/** What a method is limited by: posts by channel, the rest by method. */
export const rateKey = (method: string, channel: unknown): string =>
  typeof channel === 'string' && method.startsWith('chat.') ? `${method} ${channel}` : method;

interface Closure {
  /** Epoch milliseconds. */
  readonly until: number;
  /** How long it was closed for. */
  readonly ms: number;
}

/** Closed gates kept at once; past that the ones that opened go. */
const sweepAbove = 1_000;

export function createRateGate(clock: Clock): RateGate {
  const closed = new Map<string, Closure>();
  const remaining = (key: string): number => {
    const { until, ms } = closed.get(key) ?? { until: 0, ms: 0 };
    const left = until - clock.now();
    // More than was asked for: the clock was set back meanwhile.
    return left > ms ? 0 : Math.max(0, left);
  };
  return {
    remaining,
    close(key, seconds) {
      const ms = Math.max(remaining(key), seconds * 1_000);
      closed.set(key, { until: clock.now() + ms, ms });
      if (closed.size <= sweepAbove) return;
      for (const other of closed.keys()) if (remaining(other) === 0) closed.delete(other);
    },
  };
}
