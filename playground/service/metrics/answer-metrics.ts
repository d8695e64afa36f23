import type { MetricsQuery } from '../../../src/areas/cdn/client/metrics.ts';
import type { MetricsItem } from '../schemas/metrics-result.ts';
import { isSpeedMetric } from '../../../src/areas/cdn/client/metrics-names.ts';
import {
  countPoints,
  defaultGranularity,
  intervalStart,
  parseGranularity,
  parseInstant,
} from '../../../src/areas/cdn/client/metrics-range.ts';
import type { Audience } from './audience.ts';
import { type Count, countBetween } from './count.ts';
import { filterAudiences, valueOf } from './filter-audiences.ts';
import { measure } from './measure.ts';

interface Group {
  readonly keys: Readonly<Record<string, string | number>>;
  readonly audiences: readonly Audience[];
}

/** The boundaries of the intervals in epoch seconds, one more than intervals. The last interval may be short. */
const boundariesOf = (query: MetricsQuery): number[] => {
  const from = parseInstant(query.from) ?? 0;
  const to = parseInstant(query.to) ?? 0;
  const granularity = parseGranularity(query.granularity ?? defaultGranularity);
  if (granularity === undefined) throw new TypeError(`no granularity: ${query.granularity ?? ''}`);
  const points = countPoints(from, to, granularity);
  return Array.from(
    { length: points + 1 },
    (_, index) => Math.min(to, intervalStart(from, granularity, index)) / 1000,
  );
};

const groupsOf = (query: MetricsQuery): Group[] => {
  const audiences = filterAudiences(query.filter_by ?? []);
  const keys = [...new Set(query.group_by)];
  if (keys.length === 0) return [{ keys: {}, audiences }];
  const groups = Map.groupBy(audiences, (audience) =>
    JSON.stringify(keys.map((key) => valueOf(audience, key))),
  );
  return [...groups.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, members]) => {
      const [first] = members;
      if (!first) return [];
      return [
        { keys: Object.fromEntries(keys.map((key) => [key, valueOf(first, key)])), audiences: members },
      ];
    });
};

/** Future traffic is not counted. Speeds follow the time of day. */
const countersFor = (boundaries: readonly number[], now: number): ((metric: string) => Count) => {
  const minute = Math.floor(now / 60_000) * 60;
  const past = countBetween(boundaries.map((time) => Math.min(time, minute)));
  const always = countBetween(boundaries);
  return (metric) => (isSpeedMetric(metric) ? always : past);
};

/**
 * The items that answer a valid query, ascending by timestamp, one for every interval and group. The same question has
 * the same answer, except for intervals that were not over at `now` (epoch milliseconds).
 */
export const answerMetrics = (query: MetricsQuery, now: number): MetricsItem[] => {
  const boundaries = boundariesOf(query);
  const starts = boundaries.slice(0, -1);
  const seconds = starts.map((start, index) => (boundaries[index + 1] ?? start) - start);
  const countFor = countersFor(boundaries, now);
  const metrics = [...new Set(query.metrics)];
  const columns = groupsOf(query).map(({ keys, audiences }) => ({
    keys,
    values: metrics.map((metric) => measure(metric, { audiences, count: countFor(metric), seconds })),
  }));
  return starts.flatMap((start, index) =>
    columns.map(({ keys, values }): MetricsItem => {
      const item: MetricsItem = { timestamp: Math.floor(start) };
      Object.assign(item, keys);
      for (const [position, metric] of metrics.entries()) item[metric] = values[position]?.[index] ?? 0;
      return item;
    }),
  );
};
