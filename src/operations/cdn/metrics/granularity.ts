import { z } from 'zod';

import { isSpeedMetric } from '../../../api/schemas/metrics-names.ts';
import {
  countPoints,
  granularityMilliseconds,
  mostPoints,
  mostSpeedPoints,
} from '../../../api/schemas/metrics-range.ts';
import { BellhopError } from '../../../core/errors.ts';
import { readDuration } from '../../duration.ts';
import { spanText } from './span-text.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** Lengths of intervals that people think in, in milliseconds. */
const steps: readonly number[] = [
  ...[1, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30].map((count) => count * day),
];

/** As many points as a person makes something of; the finest granularity that gives no more is chosen. */
const plenty = 120;

/** The length of an interval as typed, `5m`, `1d` or ISO 8601 `PT1H`, read to milliseconds. */
export const granularityText = z
  .string()
  .trim()
  .transform((typed, context): number => {
    const length = readDuration(typed.toLowerCase()) ?? granularityMilliseconds(typed.toUpperCase());
    if (length !== undefined) return length;
    context.addIssue({
      code: 'custom',
      message: 'is a length of time such as 5m, 1h, 1d or PT15M; months and years have no fixed length',
    });
    return z.NEVER;
  });

/** The ISO 8601 duration of so many milliseconds, whole seconds: `PT5M`, `P1D`. */
export function isoDuration(milliseconds: number): string {
  if (milliseconds % day === 0) return `P${milliseconds / day}D`;
  if (milliseconds % hour === 0) return `PT${milliseconds / hour}H`;
  return milliseconds % minute === 0 ? `PT${milliseconds / minute}M` : `PT${milliseconds / second}S`;
}

/** How long an interval is: as asked, else as fine as gives a readable number of points. All in milliseconds. */
export function granularityFor(
  range: { readonly from: number; readonly to: number },
  metrics: readonly string[],
  asked: number | undefined,
): number {
  const isSpeed = metrics.some(isSpeedMetric);
  const most = isSpeed ? mostSpeedPoints : mostPoints;
  const fits = (step: number, limit: number): boolean => countPoints(range.from, range.to, step) <= limit;
  if (asked !== undefined && fits(asked, most)) return asked;

  const choices = steps.filter((step) => step >= (asked ?? minute));
  const readable = choices.find((step) => fits(step, Math.min(most, plenty)));
  const nearest = choices.find((step) => fits(step, most));
  if (asked === undefined && (readable ?? nearest) !== undefined) return readable ?? nearest ?? minute;
  throw tooManyPoints(range, { asked, nearest, most, isSpeed });
}

function tooManyPoints(
  { from, to }: { readonly from: number; readonly to: number },
  limit: {
    readonly asked: number | undefined;
    readonly nearest: number | undefined;
    readonly most: number;
    readonly isSpeed: boolean;
  },
): BellhopError {
  const step = limit.asked ?? steps.at(-1) ?? day;
  const points = countPoints(from, to, step).toLocaleString('en-US');
  const most = `${limit.most.toLocaleString('en-US')}${limit.isSpeed ? ' with a speed metric' : ''}`;
  const shorter = `take a range of at most ${spanText(step * limit.most)}`;
  const advice =
    limit.nearest === undefined
      ? `Please ${shorter}.`
      : `The nearest that fits is --every ${spanText(limit.nearest).replaceAll(' ', '')}; or ${shorter}.`;
  return new BellhopError(
    'bad-input',
    `${spanText(to - from)} in steps of ${spanText(step)} are ${points} points; the service answers at most ${most}. ` +
      `${advice} Nothing was sent.`,
  );
}
