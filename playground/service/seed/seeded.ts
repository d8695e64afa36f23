import { createHash } from 'node:crypto';

const digest = (seed: string): Buffer => createHash('sha256').update(seed).digest();

/** A number from 0 up to 1 that is always the same for the same seed. */
export const seededShare = (seed: string): number => digest(seed).readUInt32BE(0) / 2 ** 32;

/** An integer from `from` up to but without `to`, always the same for the same seed. */
export const seededInteger = (seed: string, from: number, to: number): number =>
  from + Math.floor(seededShare(seed) * (to - from));

/** One of the choices, always the same for the same seed. */
export const seededChoice = <Choice>(seed: string, choices: readonly [Choice, ...Choice[]]): Choice =>
  choices[seededInteger(seed, 0, choices.length)] ?? choices[0];

/** A UUID (version 4 in form) that is always the same for the same seed. */
export const seededUuid = (seed: string): string => {
  const hex = digest(seed).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};
