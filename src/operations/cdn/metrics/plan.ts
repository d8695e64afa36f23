import { z } from '../../../bellhop/bellhop.ts';
import { filterFields, isSpeedKey, isSpeedMetric } from '../../../service/schemas/cdn/metrics-names.ts';
import { type Granularity, countPoints, intervalStart } from '../../../service/schemas/cdn/metrics-range.ts';
import type { MetricsQuery } from '../../../service/schemas/cdn/metrics.ts';
import { durationText } from '../../../text/words.ts';
import { granularityFor, granularityText, isoDuration } from './granularity.ts';
import { hostName, type MetricFilter, resourceNumber, typedFilter, valuesFilter } from './metric-filter.ts';
import { edgeTotal, isEdgeError, metricName } from './metric.ts';
import { type TimeRange, interfaceTime, isTimeZone, resolveRange, typedMoment } from './time-range.ts';

/** The query to the service, and its reader. */
export interface MetricsPlan extends TimeRange {
  /** Long names, each once, in the order typed. */
  readonly metrics: readonly string[];
  /** For errors, the metric of all requests, to compute the share. It is queried but not shown. */
  readonly total: typeof edgeTotal | undefined;
  /** Length of an interval. */
  readonly step: Granularity;
  readonly by: readonly string[];
  readonly filters: readonly MetricFilter[];
  /** The reader's zone, for all times. */
  readonly zone: string;
  /** The current time, in epoch milliseconds. */
  readonly now: number;
}

/** @throws refused before anything is sent: an invalid range, or more points than the service allows */
export function planMetrics(input: MetricsInput, now: number, ownZone: string): MetricsPlan {
  const zone = isTimeZone(ownZone) ? ownZone : 'UTC';
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

/** The body of `queryMetrics` for a range of the plan, grouped or as a whole. */
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

/** The last interval of a plan, if it is shorter than the others. */
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

/** The input of cdn.metrics. */
export const metricsInput = z
  .strictObject({
    names: z
      .array(metricName)
      .min(1, 'is empty')
      .max(60, 'takes at most 60 metrics')
      .prefault(['2xx', '3xx', '4xx', '5xx'])
      .describe(
        'Metrics: a status or class (5xx, 404), requests, requests_total, bandwidth, hit_ratio, hit_bytes, speed; origin_5xx and so on. Default: all status classes.',
      )
      .meta({
        positional: true,
        placeholder: '5xx',
        label: 'Metrics',
        synonyms: { errors: ['4xx', '5xx'], traffic: ['bandwidth', 'requests'] },
      }),
    last: durationText
      .optional()
      .describe('How far back from now, such as 15m, 2h, 1d12h or 7d. Default: the last hour.')
      .meta({ placeholder: '2h', label: 'How far back' }),
    from: typedMoment
      .optional()
      .describe(
        'Start: 2026-11-01, "2026-11-01 09:30", 09:30, today, yesterday, or 2h for two hours ago. In your time zone, unless you add one.',
      )
      .meta({ placeholder: 'yesterday', label: 'Start', aliases: ['since'] }),
    to: typedMoment
      .optional()
      .describe('End, exclusive, in the same form; a date means its start. Default: now.')
      .meta({ placeholder: 'today', label: 'End' }),
    every: granularityText
      .optional()
      .describe(
        'Length of an interval in whole minutes, such as 5m, 1h, 1d or P1M (a month). For speed, a multiple of 5m. Default: chosen to fit.',
      )
      .meta({ placeholder: '5m', label: 'Length of an interval' }),
    by: z
      .array(z.enum(filterFields, `must be one of ${filterFields.join(', ')}`))
      .default([])
      .describe('Group by these. cname is the host; region and isp work only with speed.')
      .meta({ label: 'Group by', synonyms: { host: ['cname'], hosts: ['cname'] } }),
    cname: z
      .array(hostName)
      .max(100, 'takes at most 100 hosts')
      .default([])
      .describe('Only these hosts. You can also type host=www.example.com.')
      .meta({ placeholder: 'www.example.com', label: 'Hosts', aliases: ['host'], hostName: true }),
    resource: z
      .array(resourceNumber)
      .max(100, 'takes at most 100 resources')
      .default([])
      .describe('Only these CDN resources, by number.')
      .meta({ placeholder: '1001', label: 'CDN resources' }),
    where: z
      .array(typedFilter)
      .max(20, 'takes at most 20 filters')
      .default([])
      .describe('Only matching data: "field op value,value", such as "cname in a.example,b.example".')
      .meta({ itemsMayContainCommas: true, placeholder: 'cname eq www.example.com', label: 'Filters' }),
  })
  .check(({ value, issues }) => {
    const fault = (field: string, message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value });
    if (value.last !== undefined && (value.from ?? value.to))
      fault('last', "can't be combined with --from or --to");
    else if (value.to && !value.from) fault('to', 'needs --from too');
    const forSpeed = value.by.find(isSpeedKey);
    if (forSpeed !== undefined && !value.names.every(isSpeedMetric))
      fault(
        'by',
        `Grouping by ${forSpeed} works only with speed metrics. Query only speed, or don't group by ${forSpeed}.`,
      );
    const filter = value.where.find(({ field }) => isSpeedKey(field));
    if (filter && !value.names.every(isSpeedMetric))
      fault(
        'where',
        `Filtering by ${filter.field} works only with speed metrics. Query only speed, or don't filter by ${filter.field}.`,
      );
  });

export type MetricsInput = z.output<typeof metricsInput>;
