/**
 * How long to wait until something is tried again: half the time that has passed since it began, within bounds, so that no count needs to
 * be kept. Whole milliseconds, as every time that is stored: PostgreSQL takes no half of one.
 */
export const growingPause = (elapsedMs: number, leastMs: number, mostMs: number): number =>
  Math.ceil(Math.min(Math.max(elapsedMs / 2, leastMs), mostMs));
