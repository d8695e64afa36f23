/** Seeded random numbers: the same seed makes the same choices in the same order. */
export interface Dice {
  chance(probability: number): boolean;
  /** A whole number from 0 to `limit` − 1. */
  below(limit: number): number;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  // Mulberry32 by Tommy Ettinger, in the public domain.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability) => next() < probability,
    below: (limit) => Math.floor(next() * limit),
  };
}
