import { type MetricPoint, metricsOf } from '../client/metrics-reply.ts';
import { type MetricUnit, statusMetrics } from '../client/metrics-names.ts';
import { type Scale, addsUp, scaleFor, valueText } from './scale.ts';
import { type Granularity, intervalStart } from '../client/metrics-range.ts';
import { countOf, isEdgeError, numberOf, type PointValue, shareOf, unitOf } from './metric.ts';
import type { MetricsPlan } from './plan.ts';

export interface Measure {
  readonly metric: string;
  readonly unit: MetricUnit | undefined;
  /** Whether a point has several named numbers, such as one for each speed bucket. */
  readonly parts: boolean;
  /** Reads the number of a point. For speeds, the number is the share in the slow buckets. */
  readonly read: PointValue;
  /** For errors, reads the number of all requests of a point. */
  readonly total: PointValue | undefined;
}

export function measuresIn(
  { metrics: asked, total }: MetricsPlan,
  points: readonly MetricPoint[],
): readonly Measure[] {
  const came = new Map<string, boolean>();
  for (const point of points)
    for (const name of metricsOf(point)) if (!came.has(name)) came.set(name, typeof point[name] === 'object');
  const all = total !== undefined && came.has(total) ? countOf(total) : undefined;
  return [...new Set([...asked, ...came.keys()])]
    .filter((metric) => metric !== total || asked.includes(metric))
    .map((metric): Measure => {
      const unit = unitOf(metric);
      const whole = isEdgeError(metric) ? all : undefined;
      // Some services omit zeros. A metric that any point names, even with null, counts as zero in points without a
      // value. Errors count as zero even if no point names them.
      const isSent =
        whole !== undefined || (came.size > 0 && points.some((point) => Object.hasOwn(point, metric)));
      const parts = unit === 'shares' || (unit === undefined && came.get(metric) === true);
      return {
        metric,
        unit,
        parts,
        read: parts ? shareOf(metric) : addsUp(unit) && isSent ? countOf(metric) : numberOf(metric),
        total: whole,
      };
    })
    .toSorted((one, other) => severity(one.metric) - severity(other.metric));
}

const statuses = new Map(statusMetrics.map((each) => [each.name, each]));

export const statusOf = (metric: string) => statuses.get(metric);

/** Sorts 5xx before 4xx before everything else, and classes before single statuses. */
function severity(metric: string): number {
  const status = statusOf(metric)?.status ?? '';
  const single = status.endsWith('xx') ? 0 : 1;
  if (status.startsWith('5')) return single;
  return status.startsWith('4') ? 2 + single : 4;
}

interface Part {
  readonly points: readonly MetricPoint[];
  readonly summaries: ReadonlyMap<string, Summary>;
  /** The total length of all intervals that the service sent, including intervals in which a group has no point. */
  readonly seconds: number;
}

/**
 * Returns a rate independent of time and traffic, in {@link rateUnit}; undefined if unknown. Errors are a share of all
 * requests, other counts are per second, and everything else is an average over time.
 */
export function rateIn(
  { metric, unit, read, total }: Measure,
  { points, summaries, seconds }: Part,
): number | undefined {
  if (total) return shareIn(points, read, total);
  const summary = summaries.get(metric);
  if (!summary || !addsUp(unit)) return summary?.mean;
  return seconds === 0 ? undefined : (summary.sum * (unit === 'bytes' ? 8 : 1)) / seconds;
}

function shareIn(points: readonly MetricPoint[], part: PointValue, whole: PointValue): number | undefined {
  let [sum, all] = [0, 0];
  for (const point of points) {
    sum += part(point) ?? 0;
    all += whole(point) ?? 0;
  }
  return all > 0 ? sum / all : undefined;
}

export function rateUnit({ unit, total }: Pick<Measure, 'unit' | 'total'>): MetricUnit | undefined {
  if (total) return 'ratio';
  if (unit === 'requests') return 'requests/s';
  return unit === 'bytes' ? 'bit/s' : unit;
}

/** Returns `0.42 %` or `1,240 requests/s`, and other values in the answer's scale. */
export function rateText(
  { scaleOf }: { readonly scaleOf: (unit: MetricUnit | undefined) => Scale },
  measure: Measure,
  rate: number,
): string {
  const unit = rateUnit(measure);
  return valueText(unit, rate, unit === measure.unit ? scaleOf(unit) : scaleFor(unit, rate));
}

/** A value, and the start of its interval in Unix seconds. */
export interface Extreme {
  readonly value: number;
  readonly at: number;
}

export interface Summary {
  readonly sum: number;
  /** The mean over time. Each interval is weighted by its length, because the last interval may be shorter. */
  readonly mean: number;
  readonly lowest: Extreme;
  readonly highest: Extreme;
}

/** The intervals of a range have the length `step`. The last interval is cut at `to`, in epoch milliseconds. */
export interface Intervals {
  readonly step: Granularity;
  readonly to: number;
}

/**
 * Summarizes a series in one pass; undefined without values. Of equal extremes, the earliest counts. With `counts`, a
 * short last interval is never an extreme, because it counts less.
 */
export function summarize(
  points: readonly MetricPoint[],
  read: PointValue,
  intervals: Intervals,
  counts = false,
): Summary | undefined {
  let [sum, weighted, weights] = [0, 0, 0];
  let lowest: Extreme | undefined;
  let highest: Extreme | undefined;
  for (let index = 0; index < points.length; index += 1) {
    const point = points[index];
    const value = point && read(point);
    if (!point || value === undefined) continue;
    const start = point.timestamp * 1000;
    const end = intervalStart(start, intervals.step, 1);
    const length = lengthOf(start, end, intervals);
    sum += value;
    weighted += value * length;
    weights += length;
    if (counts && highest && end > intervals.to) continue;
    if (!lowest || value < lowest.value) lowest = { value, at: point.timestamp };
    if (!highest || value > highest.value) highest = { value, at: point.timestamp };
  }
  const mean = weights > 0 ? weighted / weights : 0;
  return lowest && highest && { sum, mean, lowest, highest };
}

/** Returns the total length of the intervals of these points, in seconds. Each interval counts once. */
export function secondsOf(points: readonly MetricPoint[], intervals: Intervals): number {
  const starts = new Set(points.map(({ timestamp }) => timestamp * 1000));
  const lengths = [...starts].map((start) =>
    lengthOf(start, intervalStart(start, intervals.step, 1), intervals),
  );
  return lengths.reduce((sum, length) => sum + length, 0) / 1000;
}

/** Whether the interval that starts at this time, in epoch milliseconds, is as long as the others. */
export const isWhole = (start: number, { step, to }: Intervals): boolean =>
  intervalStart(start, step, 1) <= to;

/** Returns the length of the interval in milliseconds. The length is 0 for integers that are not dates. */
function lengthOf(start: number, end: number, { to }: Intervals): number {
  const length = Math.min(to, end) - start;
  return length > 0 ? length : 0;
}
