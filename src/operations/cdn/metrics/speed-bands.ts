import type { MetricPoint, Shares } from '../../../service/metrics-reply.ts';
import { speedBuckets } from '../../../service/schemas/cdn/metrics-names.ts';

const slowBuckets: readonly string[] = ['0_250k', '250k_500k', '500k_750k', '750k_1M'];

/** The unit of the buckets' names. */
export const speedUnit = 'KB/s';

/** What counts as slow in headlines and group tables, as the service names it. */
export const slowText = `slower than 1M (${speedUnit})`;

/** The buckets as few enough lines for a chart, slowest first, named as the service names buckets. */
export const speedBands: readonly { readonly name: string; readonly buckets: readonly string[] }[] = [
  { name: '0_500k', buckets: ['0_250k', '250k_500k'] },
  { name: '500k_1M', buckets: ['500k_750k', '750k_1M'] },
  { name: '1M_2M', buckets: ['1M_2M'] },
  { name: '2M_4M', buckets: ['2M_3M', '3M_4M'] },
  { name: '4M+', buckets: ['4M+'] },
];

/** The shares of a speed metric at a point; undefined where it has none. */
export const sharesAt = (point: MetricPoint, metric: string): Shares | undefined => {
  const value = point[metric];
  return typeof value === 'object' ? value : undefined;
};

/** What these buckets hold together; undefined where a point has none of them, as where nothing was delivered. */
export function shareOf(shares: Shares | undefined, buckets: readonly string[]): number | undefined {
  if (!shares) return undefined;
  let total = 0;
  let known = false;
  for (const bucket of buckets) {
    const share = shares[bucket];
    if (share === undefined) continue;
    total += share;
    known = true;
  }
  return known ? total : undefined;
}

/** The share of downloads in the slow buckets. */
export const slowShare = (point: MetricPoint, metric: string): number | undefined =>
  shareOf(sharesAt(point, metric), slowBuckets);

/** The buckets or other parts that a metric has in these points: speeds from slow to fast, others as they came. */
export function partsIn(points: readonly MetricPoint[], metric: string): readonly string[] {
  const found = new Set(points.flatMap((point) => Object.keys(sharesAt(point, metric) ?? {})));
  const known = speedBuckets.filter((bucket) => found.has(bucket));
  return [...known, ...[...found].filter((bucket) => !known.some((each) => each === bucket))];
}
