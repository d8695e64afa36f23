/** The unit of a metric's values. `shares` are speed buckets that add up to 1. */
export type MetricUnit = 'requests' | 'requests/s' | 'bit/s' | 'bytes' | 'ratio' | 'shares';

const statusClasses =
  '1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500 501 502 503 504 505 5xx'.split(' ');

export const statusMetrics: readonly { name: string; side: 'edge' | 'origin'; status: string }[] = (
  ['edge', 'origin'] as const
).flatMap((side) => statusClasses.map((status) => ({ name: `${side}_status_${status}`, side, status })));

/** Maps every known metric to the unit of its values. A service may have more metrics. */
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

export const metricNames: readonly string[] = Object.keys(metricUnits);

/** In KB/s, from slow to fast. */
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

export const groupKeys = ['resource', 'cname'] as const;

/** Speed metrics can also be grouped and filtered by these keys. */
const speedGroupKeys = ['region', 'isp'] as const;

export const isSpeedKey = (key: string): boolean => speedGroupKeys.some((each) => each === key);

export const filterFields = [...groupKeys, ...speedGroupKeys] as const;

export type FilterField = (typeof filterFields)[number];

/** The operator `like` finds a substring. */
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

export const isSpeedMetric = (name: string): boolean => name.endsWith('_speed');
