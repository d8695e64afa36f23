import { refused, z } from '../../../bellhop/bellhop.ts';

import { isSpeedMetric } from '../../../service/schemas/cdn/metrics-names.ts';
import {
  countPoints,
  fitsSpeed,
  intervalStart,
  meanLength,
  mostPoints,
  mostSpeedPoints,
  parseGranularity,
  speedStep,
  type Granularity,
} from '../../../service/schemas/cdn/metrics-range.ts';
import { readAs, readDuration } from '../../../text/words.ts';
import { spanText } from './time-text.ts';
import type { TimeRange } from './time-range.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

const fixed = (milliseconds: number): Granularity => ({ months: 0, milliseconds });

/** Common lengths of intervals. */
const steps: readonly Granularity[] = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => fixed(count * minute)),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => fixed(count * hour)),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => fixed(count * day)),
];

/**
 * The finest granularity with at most this many points is chosen: a Slack chart draws as many, so it shows the same
 * numbers as the table.
 */
const plenty = 20;

/** A typed interval, `5m`, `1d` or ISO 8601 `P1M`, as the normalized ISO 8601 duration. */
export const granularityText = z
  .string()
  .trim()
  .transform(
    readAs(
      readGranularity,
      'must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month',
    ),
  );

function readGranularity(typed: string): string | undefined {
  const milliseconds = readDuration(typed.toLowerCase());
  const granularity =
    milliseconds === undefined ? parseGranularity(typed.toUpperCase()) : fixed(milliseconds);
  return granularity && granularity.milliseconds % minute === 0 ? isoDuration(granularity) : undefined;
}

/** As an ISO 8601 duration: `PT5M`, `P1D`, `P1M`. */
export function isoDuration({ months, milliseconds }: Granularity): string {
  const days = milliseconds % day === 0 ? milliseconds / day : 0;
  const rest = milliseconds - days * day;
  const time = rest % hour === 0 ? `${rest / hour}H` : `${rest / minute}M`;
  return `P${months === 0 ? '' : `${months}M`}${days === 0 ? '' : `${days}D`}${rest === 0 ? '' : `T${time}`}`;
}

/** For people: `5m`, `1d 12h`, `1 month`. */
export function granularityWords({ months, milliseconds }: Granularity): string {
  const calendar = months === 0 ? [] : [`${months} ${months === 1 ? 'month' : 'months'}`];
  return [...calendar, ...(milliseconds === 0 ? [] : [spanText(milliseconds)])].join(' ');
}

/** In the format of `--every`. */
const typedGranularity = (step: Granularity): string =>
  step.months === 0 ? spanText(step.milliseconds).replaceAll(' ', '') : isoDuration(step);

/** The service's limits for a query: with a speed metric, only some granularities and fewer points. */
interface Bounds {
  readonly isSpeed: boolean;
  readonly most: number;
}

/**
 * The length of an interval: `every`, an ISO 8601 duration, or the finest with a readable number of points.
 * @throws refused for more points than the service allows, or a granularity that it rejects for speeds
 */
export function granularityFor(
  range: TimeRange,
  metrics: readonly string[],
  every: string | undefined,
): Granularity {
  const asked = every === undefined ? undefined : parseGranularity(every);
  const isSpeed = metrics.some(isSpeedMetric);
  const bounds: Bounds = { isSpeed, most: isSpeed ? mostSpeedPoints : mostPoints };
  const fits = (step: Granularity, limit = bounds.most): boolean =>
    (!isSpeed || fitsSpeed(step)) && countPoints(range.from, range.to, step) <= limit;
  if (asked) {
    if (fits(asked)) return asked;
    const coarser = [roundedUp(asked), ...steps].filter((step) => meanLength(step) >= meanLength(asked));
    throw misfit(range, asked, { ...bounds, nearest: coarser.find((step) => fits(step)) });
  }
  const chosen =
    steps.find((step) => fits(step, Math.min(bounds.most, plenty))) ?? steps.find((step) => fits(step));
  if (chosen) return chosen;
  throw misfit(range, steps.at(-1) ?? fixed(day), { ...bounds, nearest: undefined });
}

const roundedUp = ({ months, milliseconds }: Granularity): Granularity => ({
  months,
  milliseconds: Math.ceil(milliseconds / speedStep) * speedStep,
});

function misfit(
  { from, to }: TimeRange,
  step: Granularity,
  { isSpeed, most, nearest }: Bounds & { readonly nearest: Granularity | undefined },
): Error {
  const points = countPoints(from, to, step);
  const tooMany = points > most;
  const fault = tooMany
    ? `${spanText(to - from)} in steps of ${granularityWords(step)} would be ${countWords(points)} points, but the service ` +
      `allows at most ${countWords(most)}${isSpeed ? ' with a speed metric' : ''}.`
    : `With a speed metric, the service allows steps of 5m, 10m, 15m and so on, not ${granularityWords(step)}.`;
  const shorter = `use a range of at most ${spanText(intervalStart(from, step, most) - from)}`;
  const other = tooMany && !(isSpeed && !fitsSpeed(step)) ? `, or ${shorter}` : '';
  const advice = nearest ? `Use --every ${typedGranularity(nearest)}${other}.` : `Please ${shorter}.`;
  return refused(`${fault} ${advice} Nothing was sent.`);
}

const countWords = (count: number): string => count.toLocaleString('en-US');
