import { abridged, guessOf, z } from '../../../bellhop/bellhop.ts';
import type { MetricPoint, Shares } from '../client/metrics-reply.ts';
import {
  type MetricUnit,
  isSpeedMetric,
  metricNames,
  metricUnits,
  speedBuckets,
} from '../client/metrics-names.ts';
import { addMisread, Misread } from './times.ts';

/** Returns a short name: `5xx`, `speed`, `origin_503`. Unknown metrics keep their name. */
export const shortMetric = (metric: string): string =>
  metric
    .replace(/^edge_/u, '')
    .replace('status_', '')
    .replace('download_speed', 'speed');

/** A metric can be typed whole, without `edge_`, `status_` or `download_`, or without any of them. */
const byTyped = new Map(
  metricNames.flatMap((name) =>
    [name, name.replace('status_', ''), name.replace('download_', '')]
      .flatMap((each) => [each, each.replace(/^edge_/u, '')])
      .concat(shortMetric(name))
      .map((typed) => [typed, name] as const),
  ),
);

const known =
  '1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500–505 5xx, requests, requests_total, bandwidth, ' +
  'hit_ratio, hit_bytes and speed. For the origin, put origin_ before a status, requests, bandwidth or speed: origin_5xx';

const rangeText = /^(?:today|yesterday|now|\d{4}-\d{2}-\d{2}.*|\d+[mhd])$/u;

export const metricName = z
  .string()
  .trim()
  .max(3000, 'is too long: a metric has at most 3000 characters')
  .transform((typed, context): string => {
    const wanted = typed.toLowerCase().replaceAll('-', '_');
    const name = byTyped.get(wanted);
    if (name !== undefined) return name;
    const text = `${abridged(typed)} is not a metric.`;
    return addMisread(context, new Misread(text, { typed, words: meantBy(wanted) }, ` Available: ${known}.`));
  });

function meantBy(wanted: string): readonly string[] {
  if (rangeText.test(wanted)) return [`--${/^\d+[mhd]$/u.test(wanted) ? 'last' : 'from'} ${wanted}`];
  return /^\dxx$/u.test(wanted) ? ['4xx', '5xx'] : guessOf(wanted, byTyped.keys()).words;
}

export const edgeTotal = 'edge_requests_total';

/** Whether a metric counts errors that visitors saw. These errors are a share of {@link edgeTotal}. */
export const isEdgeError = (metric: string): boolean => /^edge_status_[45]/u.test(metric);

export const unitOf = (metric: string): MetricUnit | undefined =>
  // A service may name a metric `valueOf`, so only the table's own keys count.
  Object.hasOwn(metricUnits, metric) ? metricUnits[metric] : isSpeedMetric(metric) ? 'shares' : undefined;

const slowBuckets: readonly string[] = ['0_250k', '250k_500k', '500k_750k', '750k_1M'];

export const speedUnit = 'KB/s';

/** Names the downloads that count as slow in headlines and charts. `1M` is the service's name of a bucket. */
export const slowText = 'downloads in the speed buckets below 1M';

/** Merges the buckets into few enough lines for a chart, slowest first. The names are the service's. */
export const speedBands: readonly { readonly name: string; readonly buckets: readonly string[] }[] = [
  { name: '0_500k', buckets: ['0_250k', '250k_500k'] },
  { name: '500k_1M', buckets: ['500k_750k', '750k_1M'] },
  { name: '1M_2M', buckets: ['1M_2M'] },
  { name: '2M_4M', buckets: ['2M_3M', '3M_4M'] },
  { name: '4M+', buckets: ['4M+'] },
];

export const sharesAt = (point: MetricPoint, metric: string): Shares | undefined => {
  const value = point[metric];
  return typeof value === 'object' ? value : undefined;
};

export type PointValue = (point: MetricPoint) => number | undefined;

export const numberOf =
  (metric: string): PointValue =>
  (point) => {
    const value = point[metric];
    return typeof value === 'number' ? value : undefined;
  };

/** An interval that the service sent without this count counts as zero. */
export function countOf(metric: string): PointValue {
  const read = numberOf(metric);
  return (point) => read(point) ?? 0;
}

/** Returns the sum of these buckets. Undefined if a point has none of them, because nothing was delivered. */
export const shareOf =
  (metric: string, buckets: readonly string[] = slowBuckets): PointValue =>
  (point) => {
    const shares = sharesAt(point, metric);
    let total: number | undefined;
    for (const bucket of buckets) {
      const share = shares?.[bucket];
      if (share !== undefined) total = (total ?? 0) + share;
    }
    return total;
  };

/** Returns the buckets or other parts of a metric. Speeds are sorted from slow to fast, and others stay as sent. */
export function partsIn(points: readonly MetricPoint[], metric: string): readonly string[] {
  const found = new Set(points.flatMap((point) => Object.keys(sharesAt(point, metric) ?? {})));
  const inOrder = speedBuckets.filter((bucket) => found.has(bucket));
  return [...inOrder, ...[...found].filter((bucket) => !inOrder.some((each) => each === bucket))];
}
