import { type MetricPoint, metricsOf } from '../../../service/metrics-reply.ts';
import { type MetricUnit, statusMetrics } from '../../../service/schemas/cdn/metrics-names.ts';
import { type Scale, addsUp, scaleFor, valueText } from '../../parts/scale.ts';
import { type Intervals, type PointValue, numberOf, summarize } from '../../parts/summary.ts';
import { isEdgeError, unitOf } from './metric.ts';
import type { MetricsPlan } from './plan.ts';
import { slowShare } from './speed-bands.ts';

/** A metric of an answer and how it is read. */
export interface Measure {
  /** Long name. */
  readonly metric: string;
  readonly unit: MetricUnit | undefined;
  /** Whether a point has several numbers by name, as speeds have one a bucket. */
  readonly parts: boolean;
  /** The number of a point: of speeds, the share in the slow buckets. */
  readonly read: PointValue;
  /** Of errors: all requests of a point, of which they are a part. */
  readonly total: PointValue | undefined;
}

/** What was asked for and came, or was only asked for, or only came. */
export function measuresIn(
  { metrics: asked, total }: MetricsPlan,
  points: readonly MetricPoint[],
): readonly Measure[] {
  const came = new Map<string, boolean>();
  for (const point of points)
    for (const name of metricsOf(point)) if (!came.has(name)) came.set(name, typeof point[name] === 'object');
  const all = total !== undefined && came.has(total) ? numberOf(total) : undefined;
  return [...new Set([...asked, ...came.keys()])]
    .filter((metric) => metric !== total || asked.includes(metric))
    .map((metric): Measure => {
      const unit = unitOf(metric);
      const parts = unit === 'shares' || (unit === undefined && came.get(metric) === true);
      return {
        metric,
        unit,
        parts,
        read: parts ? (point) => slowShare(point, metric) : numberOf(metric),
        total: isEdgeError(metric) ? all : undefined,
      };
    })
    .toSorted((one, other) => severity(one.metric) - severity(other.metric));
}

const statuses = new Map(statusMetrics.map((each) => [each.name, each]));

/** The side and status that a metric counts, if it counts one. */
export const statusOf = (metric: string) => statuses.get(metric);

/** 5xx before 4xx before everything else, classes before single statuses. */
function severity(metric: string): number {
  const status = statusOf(metric)?.status ?? '';
  const single = status.endsWith('xx') ? 0 : 1;
  if (status.startsWith('5')) return single;
  return status.startsWith('4') ? 2 + single : 4;
}

interface Part {
  readonly points: readonly MetricPoint[];
  readonly intervals: Intervals;
}

/**
 * What a measure comes to however long the time and however large the host: errors as a share of all requests, other
 * counts a second, all else as it is, averaged over time. In {@link rateUnit}; undefined where it is not known.
 */
export function rateIn({ unit, read, total }: Measure, { points, intervals }: Part): number | undefined {
  if (total) return shareIn(points, read, total);
  const summary = summarize(points, read, intervals);
  if (!summary || !addsUp(unit)) return summary?.mean;
  if (summary.seconds === 0) return undefined;
  return (summary.sum * (unit === 'bytes' ? 8 : 1)) / summary.seconds;
}

/** Of the points that have both: a part is no whole. */
function shareIn(
  points: readonly MetricPoint[],
  part: Measure['read'],
  whole: Measure['read'],
): number | undefined {
  let [sum, all] = [0, 0];
  for (const point of points) {
    const [errors, requests] = [part(point), whole(point)];
    if (errors === undefined || requests === undefined) continue;
    sum += errors;
    all += requests;
  }
  return all > 0 ? sum / all : undefined;
}

export function rateUnit({ unit, total }: Pick<Measure, 'unit' | 'total'>): MetricUnit | undefined {
  if (total) return 'ratio';
  if (unit === 'requests') return 'requests/s';
  return unit === 'bytes' ? 'bit/s' : unit;
}

/** `0.42 %`, `1,240 requests/s`; what is no count in the scale of the answer. */
export function rateText(
  { scaleOf }: { readonly scaleOf: (unit: MetricUnit | undefined) => Scale },
  measure: Measure,
  rate: number,
): string {
  const unit = rateUnit(measure);
  return valueText(unit, rate, unit === measure.unit ? scaleOf(unit) : scaleFor(unit, rate));
}
