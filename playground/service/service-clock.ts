/** The time of the service, which runs at its own speed and can be driven. */
export interface ServiceClock {
  /** Epoch milliseconds. Never goes back. */
  now(): number;
  /** Lets this many milliseconds pass at once. */
  advance(milliseconds: number): void;
}

/**
 * A clock that starts at `startAt` (epoch ms) and runs `speed` times as fast as `realNow`.
 */
export const createServiceClock = (startAt: number, speed: number, realNow: () => number): ServiceClock => {
  const anchor = realNow();
  let advanced = 0;
  let latest = startAt;
  return {
    now() {
      latest = Math.max(latest, Math.round(startAt + (realNow() - anchor) * speed + advanced));
      return latest;
    },
    advance(milliseconds) {
      advanced += milliseconds;
    },
  };
};
