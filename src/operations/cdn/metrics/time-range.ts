import { BellhopError } from '../../../core/model/errors.ts';
import { resolveMoment, type TypedMoment } from './typed-moment.ts';

/** From, up to but not including to, epoch milliseconds, whole seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

interface TypedRange {
  /** Milliseconds. */
  readonly last?: number | undefined;
  readonly from?: TypedMoment | undefined;
  readonly to?: TypedMoment | undefined;
}

const hour = 3_600_000;
const minute = 60_000;

/**
 * What a typed range means at a moment. Up to now means up to the last full minute, so that no half counted one looks
 * like a drop. Without a range: the last hour.
 * @throws BellhopError `bad-input` for a range that ends before it begins
 */
export function resolveRange({ last, from, to }: TypedRange, now: number, zone: string): TimeRange {
  const present = Math.floor(now / minute) * minute;
  const end = to ? seconds(resolveMoment(to, present, zone)) : present;
  const start = from ? seconds(resolveMoment(from, present, zone)) : end - (last ?? hour);
  if (start < end) return { from: start, to: end };
  const ends = to ? `--to ${to.typed}` : 'now';
  throw new BellhopError(
    'bad-input',
    `--from ${from?.typed ?? ''} is not before ${ends}. ${hintOn(start, end, to)} Nothing was sent.`,
  );
}

function hintOn(start: number, end: number, to: TypedMoment | undefined): string {
  if (start === end) return 'A date is its beginning, 00:00: to see a whole day, end with the day after it.';
  return to ? 'Swap them.' : 'What is to come cannot be measured.';
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000;

/** The range of the same length that ends where this one begins. */
export const rangeBefore = ({ from, to }: TimeRange): TimeRange => ({ from: from - (to - from), to: from });

/** As `queryMetrics` takes it: date, time and numeric offset. */
export const interfaceTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/u, '+0000');
