import { z } from 'zod';
import { type FieldIssue, fieldIssue, raise, text } from '../../../service/schemas/fields.ts';
import { lenient } from '../../../service/schemas/lenient.ts';
import { mapValues } from '../../../text/words.ts';
import {
  filterFields,
  filterOperators,
  groupKeys,
  isSpeedKey,
  isSpeedMetric,
  type MetricUnit,
  metricUnits,
} from './metrics-names.ts';
import {
  countPoints,
  defaultGranularity,
  fitsSpeed,
  maxPoints,
  maxSpeedPoints,
  parseGranularity,
  parseInstant,
} from './metrics-range.ts';

const filter = z.strictObject({
  field: text('compared field: resource, cname, region or isp'),
  op: text('in, not_in, gt, gte, lt, lte, eq, ne, like (a substring) or not_like'),
  values: z
    .array(z.union([z.string(), z.number()]))
    .min(1, 'needs at least one value')
    .describe('values to compare with; integers for resource'),
});

export const metricsQueryShape = z.strictObject({
  metrics: z.array(z.string()).min(1, 'needs at least one metric').describe('names of the metrics'),
  from: text('start of the range: ISO 8601 with Z or a numeric offset'),
  to: text('end of the range, not included, in the same form'),
  group_by: z
    .array(z.string())
    .optional()
    .describe('grouping keys: resource, cname; for speed metrics also region, isp'),
  granularity: z
    .string()
    .optional()
    .describe(
      'ISO 8601 duration of an interval, default PT1M; with a speed metric a multiple of five minutes',
    ),
  filter_by: z.array(filter).optional().describe('conditions, all of which must match'),
});

export type MetricsQuery = z.output<typeof metricsQueryShape>;

export const unknownValue = (path: PropertyKey[], value: string, known: readonly string[]): FieldIssue[] =>
  known.includes(value) ? [] : [fieldIssue(path, `"${value}" is not one of ${known.join(', ')}`)];

const rangeIssues = (query: MetricsQuery): FieldIssue[] => {
  const from = parseInstant(query.from);
  const to = parseInstant(query.to);
  const granularity = parseGranularity(query.granularity ?? defaultGranularity);
  const form = 'expected an ISO 8601 time with Z or a numeric offset, like 2026-11-01T00:00:00+00:00';
  const issues: FieldIssue[] = [];
  if (from === undefined) issues.push(fieldIssue(['from'], form));
  if (to === undefined) issues.push(fieldIssue(['to'], form));
  if (granularity === undefined) {
    issues.push(
      fieldIssue(['granularity'], 'expected an ISO 8601 duration in years to minutes, like PT5M or P1D'),
    );
  }
  if (from === undefined || to === undefined) return issues;
  if (from >= to) return [...issues, fieldIssue(['from'], 'must be before to')];
  if (granularity === undefined) return issues;

  const points = countPoints(from, to, granularity);
  const isSpeed = query.metrics.some(isSpeedMetric);
  if (isSpeed && !fitsSpeed(granularity)) {
    issues.push(fieldIssue(['granularity'], 'must be a multiple of five minutes with a speed metric'));
  }
  const most = isSpeed ? maxSpeedPoints : maxPoints;
  if (points <= most) return issues;
  const limit = `${String(most)} points${isSpeed ? ' with a speed metric' : ''}`;
  const advice = 'take a coarser granularity or a shorter range';
  return [
    ...issues,
    fieldIssue(['granularity'], `gives ${String(points)} points, at most ${limit}: ${advice}`),
  ];
};

const groupIssues = (query: MetricsQuery): FieldIssue[] => {
  const onlySpeed = query.metrics.every(isSpeedMetric);
  const known: readonly string[] = onlySpeed ? filterFields : groupKeys;
  return (query.group_by ?? []).flatMap((key, index) => {
    return !onlySpeed && isSpeedKey(key)
      ? [fieldIssue(['group_by', index], `"${key}" groups speed metrics only`)]
      : unknownValue(['group_by', index], key, known);
  });
};

const filterIssues = (query: MetricsQuery): FieldIssue[] => {
  const onlySpeed = query.metrics.every(isSpeedMetric);
  return (query.filter_by ?? []).flatMap(({ field, op }, index) => {
    const path = ['filter_by', index, 'field'];
    const fieldIssues =
      !onlySpeed && isSpeedKey(field)
        ? [fieldIssue(path, `"${field}" filters speed metrics only`)]
        : unknownValue(path, field, filterFields);
    return fieldIssues.concat(unknownValue(['filter_by', index, 'op'], op, filterOperators));
  });
};

/** Returns what is wrong with a metrics query beyond its shape: times, granularity, number of points, keys, operators. */
export const metricsQueryIssues = (query: MetricsQuery): FieldIssue[] => [
  ...rangeIssues(query),
  ...groupIssues(query),
  ...filterIssues(query),
];

/** A client may send any metric name in the body of `queryMetrics`, and otherwise only what the interface allows. */
export const metricsQuery = metricsQueryShape.check((context) => {
  raise(context, metricsQueryIssues(context.value));
});

const shares = z.record(z.string(), z.number());

/** Only counts of requests are never rounded. */
const typeOf = (unit: MetricUnit) =>
  unit === 'requests' ? z.int() : unit === 'shares' ? shares : z.number();

const item = z
  .object({
    ...mapValues(metricUnits, typeOf),
    timestamp: z.int(),
    resource: z.int(),
    cname: z.string(),
    region: z.string(),
    isp: z.string(),
  })
  .catchall(z.union([z.number(), shares]));

export const metricsResultRead = lenient(z.object({ data: z.array(item) }));
