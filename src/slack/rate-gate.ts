import type { Clock } from '../core/ports.ts';

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

/** Closed gates kept at once; past that the ones that opened go. */
const sweepAbove = 1_000;

export function createRateGate(clock: Clock): RateGate {
  const closed = new Map<string, number>();
  const remaining = (key: string): number => Math.max(0, (closed.get(key) ?? 0) - clock.now());
  return {
    remaining,
    close(key, seconds) {
      closed.set(key, Math.max(closed.get(key) ?? 0, clock.now() + seconds * 1_000));
      if (closed.size <= sweepAbove) return;
      for (const other of closed.keys()) if (remaining(other) === 0) closed.delete(other);
    },
  };
}
