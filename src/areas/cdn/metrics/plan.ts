import { countText, itemCount, readZone, refused } from '../../../bellhop/bellhop.ts';
import { isSpeedMetric } from '../client/metrics-names.ts';
import {
  countPoints,
  fitsSpeed,
  type Granularity,
  intervalStart,
  isoDuration,
  meanLength,
  maxPoints,
  maxSpeedPoints,
  parseGranularity,
  speedStep,
} from '../client/metrics-range.ts';
import type { MetricsQuery } from '../client/metrics.ts';
import type { MetricFilter, MetricsInput } from './input.ts';
import { edgeTotal, isEdgeError } from './metric.ts';
import { interfaceTime, resolveRange, spanText, type TimeRange } from './times.ts';

export interface MetricsPlan extends TimeRange {
  /** Long names without duplicates, in the order typed. */
  readonly metrics: readonly string[];
  /** For errors, the metric of all requests is queried to compute the share, but not shown. */
  readonly total: typeof edgeTotal | undefined;
  readonly step: Granularity;
  readonly by: readonly string[];
  readonly filters: readonly MetricFilter[];
  readonly zone: string;
  /** In epoch milliseconds. */
  readonly now: number;
}

/** @throws refused before anything is sent, if the range is invalid or has more points than the service allows */
export function planMetrics(input: MetricsInput, now: number, ownZone: string): MetricsPlan {
  const zone = readZone(ownZone) === undefined ? 'UTC' : ownZone;
  const metrics = [...new Set(input.names)];
  const range = resolveRange(input, now, zone);
  return {
    ...range,
    metrics,
    total: metrics.some(isEdgeError) ? edgeTotal : undefined,
    step: granularityFor(range, metrics, input.every),
    by: [...new Set(input.by)],
    filters: [
      ...valuesFilter('cname', input.cname),
      ...valuesFilter('resource', input.resource),
      ...input.where,
    ],
    zone,
    now,
  };
}

export const queryFor = (
  { metrics, total, step, filters }: MetricsPlan,
  { from, to }: TimeRange,
  by: readonly string[],
): MetricsQuery => ({
  metrics: [...new Set([...metrics, ...(total === undefined ? [] : [total])])],
  from: interfaceTime(from),
  to: interfaceTime(to),
  granularity: isoDuration(step),
  ...(by.length > 0 && { group_by: [...by] }),
  ...(filters.length > 0 && { filter_by: [...filters] }),
});

export interface ShortInterval {
  /** In epoch milliseconds. */
  readonly start: number;
  /** In milliseconds. */
  readonly length: number;
}

export function shortLast({ from, to, step }: MetricsPlan): ShortInterval | undefined {
  const points = countPoints(from, to, step);
  const start = intervalStart(from, step, points - 1);
  return intervalStart(from, step, points) > to ? { start, length: to - start } : undefined;
}

const valuesFilter = (field: string, values: readonly (string | number)[]): readonly MetricFilter[] =>
  values.length === 0 ? [] : [{ field, op: values.length === 1 ? 'eq' : 'in', values: [...values] }];

/** Returns words for people: `cname in a.example, b.example`. */
export const filterText = ({ field, op, values }: MetricFilter): string =>
  `${field} ${op.replace('_', ' ')} ${values.join(', ')}`;

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

const fixed = (milliseconds: number): Granularity => ({ months: 0, milliseconds });

const steps: readonly Granularity[] = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => fixed(count * minute)),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => fixed(count * hour)),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => fixed(count * day)),
];

/**
 * Bellhop chooses the finest granularity with at most this many points. A Slack chart draws the same number of points,
 * so the chart shows the same numbers as the table.
 */
const plenty = 20;

/** Returns words for people: `5m`, `1d 12h`, `1 month`. */
export function granularityWords({ months, milliseconds }: Granularity): string {
  const calendar = months === 0 ? [] : [itemCount(months, 'month')];
  return [...calendar, ...(milliseconds === 0 ? [] : [spanText(milliseconds)])].join(' ');
}

/** Returns the format of `--every`. */
const typedGranularity = (step: Granularity): string =>
  step.months === 0 ? spanText(step.milliseconds).replaceAll(' ', '') : isoDuration(step);

interface Bounds {
  readonly isSpeed: boolean;
  readonly most: number;
}

/**
 * Returns the length of an interval: `every`, an ISO 8601 duration, or the finest length with a readable number of
 * points.
 * @throws refused for more points than the service allows, or a granularity that the service rejects for speeds
 */
function granularityFor(
  range: TimeRange,
  metrics: readonly string[],
  every: string | undefined,
): Granularity {
  const asked = every === undefined ? undefined : parseGranularity(every);
  const isSpeed = metrics.some(isSpeedMetric);
  const bounds: Bounds = { isSpeed, most: isSpeed ? maxSpeedPoints : maxPoints };
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
    ? `${spanText(to - from)} in steps of ${granularityWords(step)} would be ${countText(points)} points, but the service ` +
      `allows at most ${countText(most)}${isSpeed ? ' with a speed metric' : ''}.`
    : `With a speed metric, the service allows steps of 5m, 10m, 15m and so on, not ${granularityWords(step)}.`;
  const shorter = `a range of at most ${spanText(intervalStart(from, step, most) - from)}`;
  const other = tooMany && !(isSpeed && !fitsSpeed(step)) ? `, or use ${shorter}` : '';
  const advice = nearest ? `Use --every ${typedGranularity(nearest)}${other}.` : `Use ${shorter}.`;
  return refused(`${fault} ${advice}`);
}
