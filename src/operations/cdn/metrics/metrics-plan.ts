import type { MetricsQuery } from '../../../api/schemas/metrics.ts';
import { countPoints, intervalStart, type Granularity } from '../../../api/schemas/metrics-range.ts';
import { granularityFor, isoDuration } from './granularity.ts';
import { resourceFilter, type MetricFilter } from './metric-filter.ts';
import type { MetricsInput } from './metrics-input.ts';
import { interfaceTime, resolveRange, type TimeRange } from './time-range.ts';
import { isTimeZone } from './time-zone.ts';

/** What will be asked of the service, and for whom. */
export interface MetricsPlan extends TimeRange {
  /** Long names, each once, in the order asked. */
  readonly metrics: readonly string[];
  /** Length of an interval. */
  readonly step: Granularity;
  readonly by: readonly string[];
  readonly filters: readonly MetricFilter[];
  /** Of whoever asks: in which times are shown. */
  readonly zone: string;
  /** The present as whoever asks has it, epoch milliseconds. */
  readonly now: number;
}

/** @throws BellhopError `bad-input` before anything is sent: no range, or more points than the service answers */
export function planMetrics(input: MetricsInput, now: number, ownZone: string): MetricsPlan {
  const zone = isTimeZone(ownZone) ? ownZone : 'UTC';
  const metrics = [...new Set(input.names)];
  const range = resolveRange(input, now, zone);
  return {
    ...range,
    metrics,
    step: granularityFor(range, metrics, input.every),
    by: [...new Set(input.by)],
    filters: [...resourceFilter(input.resource), ...input.where],
    zone,
    now,
  };
}

/** The body of `queryMetrics` for a range of the plan, grouped or as a whole. */
export const queryFor = (
  { metrics, step, filters }: MetricsPlan,
  { from, to }: TimeRange,
  by: readonly string[],
): MetricsQuery => ({
  metrics: [...metrics],
  from: interfaceTime(from),
  to: interfaceTime(to),
  granularity: isoDuration(step),
  ...(by.length > 0 && { group_by: [...by] }),
  ...(filters.length > 0 && { filter_by: [...filters] }),
});

/** The last interval of a plan where it is shorter than the others. */
export interface ShortInterval {
  /** Epoch milliseconds. */
  readonly start: number;
  /** Milliseconds. */
  readonly length: number;
}

export function shortLast({ from, to, step }: MetricsPlan): ShortInterval | undefined {
  const points = countPoints(from, to, step);
  const start = intervalStart(from, step, points - 1);
  return intervalStart(from, step, points) > to ? { start, length: to - start } : undefined;
}
