/** Unit of the values of a metric. `shares` are speed buckets that add up to 1. */
export type MetricUnit = 'requests' | 'requests/s' | 'bit/s' | 'bytes' | 'ratio' | 'shares';

const statusClasses =
  '1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500 501 502 503 504 505 5xx'.split(' ');

/** Status metrics by what they count: a class (`5xx`) or a single status (`503`). */
export const statusMetrics: readonly { name: string; side: 'edge' | 'origin'; status: string }[] = (
  ['edge', 'origin'] as const
).flatMap((side) => statusClasses.map((status) => ({ name: `${side}_status_${status}`, side, status })));

/** Every known metric and the unit of its values. A service may have more. */
export const metricUnits: Readonly<Record<string, MetricUnit>> = {
  edge_bandwidth: 'bit/s',
  edge_requests: 'requests/s',
  edge_requests_total: 'requests',
  edge_hit_ratio: 'ratio',
  edge_hit_bytes: 'bytes',
  edge_download_speed: 'shares',
  origin_bandwidth: 'bit/s',
  origin_requests: 'requests/s',
  origin_download_speed: 'shares',
  ...Object.fromEntries(statusMetrics.map(({ name }) => [name, 'requests'] as const)),
};

/** Names of the known metrics. */
export const metricNames: readonly string[] = Object.keys(metricUnits);

/** The speed buckets, from slow to fast, in KB/s. */
export const speedBuckets = [
  '0_250k',
  '250k_500k',
  '500k_750k',
  '750k_1M',
  '1M_2M',
  '2M_3M',
  '3M_4M',
  '4M+',
] as const;

export type SpeedBucket = (typeof speedBuckets)[number];

/** Keys that every metric can be grouped by. */
export const groupKeys = ['resource', 'cname'] as const;

/** Additional keys for grouping and filtering speed metrics. */
const speedGroupKeys = ['region', 'isp'] as const;

export const isSpeedKey = (key: string): boolean => speedGroupKeys.some((each) => each === key);

/** Fields that a filter can name: all grouping keys. */
export const filterFields = [...groupKeys, ...speedGroupKeys] as const;

export type FilterField = (typeof filterFields)[number];

/** Operators of a filter. `like` is a substring. */
export const filterOperators = [
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'eq',
  'ne',
  'like',
  'not_like',
] as const;

/** Whether the values of this metric are shares by speed bucket. */
export const isSpeedMetric = (name: string): boolean => name.endsWith('_speed');
