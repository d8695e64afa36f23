import type { Site } from './audience.ts';

/**
 * Traffic as running totals: each function gives the total from the beginning of 2026 up to a time (epoch seconds), so
 * that an interval is a difference, any granularity adds up, and the same question always has the same answer.
 */

const beginning = Date.UTC(2026, 0, 1) / 1000;
const day = 86_400;

/** Waves in the number of visitors: period and shift in seconds, height against the mean of 1. They add up to < 1. */
const waves = [
  { period: day, height: 0.45, shift: 48_600 },
  { period: day / 2, height: 0.12, shift: 20_000 },
  { period: day * 7, height: 0.07, shift: 130_000 },
  { period: 17_700, height: 0.04, shift: 0 },
  { period: 3180, height: 0.03, shift: 700 },
  { period: 660, height: 0.025, shift: 90 },
] as const;

const waveTotal = (time: number, period: number, shift: number): number =>
  (-Math.cos((2 * Math.PI * (time - shift)) / period) * period) / (2 * Math.PI);

/** Seconds of mean traffic of a site. */
export const visitTotal = (site: Site, time: number): number => {
  let total = time - beginning;
  for (const { period, height, shift } of waves) {
    total += height * waveTotal(time, period, shift + site.shift);
  }
  return total;
};

/** How much the evening slows visitors down: swings around 0, in seconds of mean traffic. */
export const eveningTotal = (site: Site, time: number): number => waveTotal(time, day, 48_600 + site.shift);

const incidentEvery = 6 * 3600;
const incidentSize = 120;

/** A number from 0 up to 1 for a block of time, by an integer hash. */
const scatter = (block: number, salt: number): number => {
  let hash = Math.imul(block ^ (salt * 0x9e3779b9), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

/**
 * Errors of incidents, in seconds of mean traffic: one in every six hours, 20 to 45 minutes long, somewhere in its
 * middle, rising and falling. So there has always been one in the last hours.
 */
export const incidentTotal = (time: number): number => {
  const block = Math.floor((time - beginning) / incidentEvery);
  const start = beginning + block * incidentEvery + 2400 + scatter(block, 1) * 12_000;
  const length = 1200 + scatter(block, 2) * 1500;
  const passed = Math.min(1, Math.max(0, (time - start) / length));
  return incidentSize * (block + passed - Math.sin(2 * Math.PI * passed) / (2 * Math.PI));
};
