import type { SpeedShares } from '../schemas/metrics-result.ts';
import { isSpeedMetric, statusMetrics } from '../../../src/areas/cdn/client/metrics-names.ts';
import type { Audience } from './audience.ts';
import type { Count } from './count.ts';
import { cachedBytes, sentBytes, speedCounters, statusCounters } from './counters.ts';

/** The range of a metric: some audiences in some intervals, `seconds` long each. */
export interface Measured {
  readonly audiences: readonly Audience[];
  readonly count: Count;
  readonly seconds: readonly number[];
}

type Value = number | SpeedShares;

const perSecond = (counts: readonly number[], { seconds }: Measured): number[] =>
  counts.map((count, index) => Math.round((count / (seconds[index] ?? 1)) * 1000) / 1000);

const bits = (bytes: readonly number[], measured: Measured): number[] =>
  perSecond(
    bytes.map((each) => each * 8),
    measured,
  ).map(Math.round);

const missed = ({ count, audiences }: Measured): number[] => {
  const cached = count(audiences, [cachedBytes]);
  return count(audiences, [sentBytes]).map((sent, index) => sent - (cached[index] ?? 0));
};

const hitRatio = ({ count, audiences }: Measured): number[] => {
  const sent = count(audiences, [sentBytes]);
  return count(audiences, [cachedBytes]).map((cached, index) =>
    sent[index] ? Math.round((cached / sent[index]) * 10_000) / 10_000 : 0,
  );
};

const parts = 10_000;

/** Shares as decimal strings that add up to exactly 1: the rounding error is added to the largest. */
const shares = (counts: readonly number[]): SpeedShares => {
  const total = counts.reduce((sum, each) => sum + each, 0);
  const rounded = counts.map((each) => (total > 0 ? Math.floor((each / total) * parts) : 0));
  const left = total > 0 ? parts - rounded.reduce((sum, each) => sum + each, 0) : 0;
  const largest = counts.indexOf(Math.max(...counts));
  const share = (index: number): string =>
    (((rounded[index] ?? 0) + (index === largest ? left : 0)) / parts).toFixed(4);
  return {
    '0_250k': share(0),
    '250k_500k': share(1),
    '500k_750k': share(2),
    '750k_1M': share(3),
    '1M_2M': share(4),
    '2M_3M': share(5),
    '3M_4M': share(6),
    '4M+': share(7),
  };
};

const speedShares = (side: 'edge' | 'origin', { count, audiences, seconds }: Measured): SpeedShares[] => {
  const buckets = speedCounters(side).map((counter) => count(audiences, [counter]));
  return seconds.map((_length, index) => shares(buckets.map((bucket) => bucket[index] ?? 0)));
};

const statusCount = (side: 'edge' | 'origin', status: string, { count, audiences }: Measured): number[] =>
  count(audiences, statusCounters(side, status));

const others: Readonly<Record<string, (measured: Measured) => Value[]>> = {
  edge_bandwidth: (measured) => bits(measured.count(measured.audiences, [sentBytes]), measured),
  edge_requests: (measured) => perSecond(statusCount('edge', 'all', measured), measured),
  edge_requests_total: (measured) => statusCount('edge', 'all', measured),
  edge_hit_ratio: hitRatio,
  edge_hit_bytes: ({ count, audiences }) => count(audiences, [cachedBytes]),
  origin_bandwidth: (measured) => bits(missed(measured), measured),
  origin_requests: (measured) => perSecond(statusCount('origin', 'all', measured), measured),
};

/** The value of a known metric in every interval. */
export const measure = (metric: string, measured: Measured): Value[] => {
  const status = statusMetrics.find(({ name }) => name === metric);
  if (status) return statusCount(status.side, status.status, measured);
  if (isSpeedMetric(metric)) return speedShares(metric.startsWith('edge') ? 'edge' : 'origin', measured);
  return others[metric]?.(measured) ?? [];
};
