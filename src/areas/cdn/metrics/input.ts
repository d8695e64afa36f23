import {
  abridged,
  durationText,
  guessOf,
  readAs,
  readDuration,
  readHost,
  splitItems,
  z,
} from '../../../bellhop/bellhop.ts';
import type { MetricsQuery } from '../client/metrics.ts';
import { filterFields, filterOperators, isSpeedKey, isSpeedMetric } from '../client/metrics-names.ts';
import { isoDuration, parseGranularity } from '../client/metrics-range.ts';
import { metricName } from './metric.ts';
import { Misread, readOrExplain, typedMoment } from './times.ts';

export type MetricFilter = NonNullable<MetricsQuery['filter_by']>[number];

const form =
  /^(?:(?<field>\S+)\s+(?<op>[\w-]\S*)\s+|(?<named>\w+)\s*(?<sign>!=|<=|>=|=|<|>)\s*)(?<values>\S[^]*)$/u;

const signs = new Map([
  ['=', 'eq'],
  ['!=', 'ne'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['>=', 'gte'],
]);

/** Accepts `field op value[,value]`. A comma after a backslash belongs to its value. */
const typedFilter = z.string().trim().max(1000, 'is too long').transform(readOrExplain(readFilter));

function readFilter(typed: string): MetricFilter | string | Misread {
  const { named, sign = '', values = '', ...worded } = form.exec(typed)?.groups ?? {};
  const { field = named ?? '', op = signs.get(sign) ?? '' } = worded;
  const key = field.toLowerCase().replace(/^hosts?$/u, 'cname');
  const operator = op.toLowerCase().replaceAll('-', '_');
  if (values === '')
    return `must be "field op value", such as "cname eq www.example.com", not “${abridged(typed)}”`;
  const isKnown = filterFields.some((each) => each === key);
  if (!isKnown) return unknown('filter field', field, filterFields);
  if (!filterOperators.some((each) => each === operator))
    return unknown('filter operator', op, filterOperators);
  const items = splitItems(values);
  if (items.length === 0) return `“${abridged(typed)}” has no value`;
  if (operator.endsWith('like')) return { field: key, op: operator, values: [...items] };
  if (key === 'cname')
    return { field: key, op: operator, values: items.map((item) => readCname(item) ?? item) };
  if (key !== 'resource') return { field: key, op: operator, values: [...items] };
  const wrong = items.find((item) => !isResource(item));
  if (wrong !== undefined) return `must compare a resource with whole numbers, not “${abridged(wrong)}”`;
  return { field: key, op: operator, values: items.map(Number) };
}

function readCname(text: string): string | undefined {
  const { name, port } = readHost(text) ?? {};
  return port === undefined ? name : undefined;
}

const unknown = (what: string, typed: string, known: readonly string[]): Misread =>
  new Misread(
    `Unknown ${what} “${abridged(typed)}”.`,
    guessOf(typed, known),
    ` Available: ${known.join(', ')}.`,
  );

const isResource = (text: string): boolean => /^\d{1,16}$/u.test(text) && Number.isSafeInteger(Number(text));

export const resourceNumber = z
  .string()
  .trim()
  .max(40, 'is too long: a number has at most 40 characters')
  .refine(isResource, 'must be the number of a CDN resource, such as 1001')
  .transform(Number);

/** Normalizes a typed host of a CDN resource to the service's spelling. */
const hostName = z
  .string()
  .trim()
  .max(253, 'is too long: a host has at most 253 characters')
  .transform(readAs(readCname, 'must be a host name, such as www.example.com, without scheme, port or path'));

/** Accepts `5m`, `1d` or ISO 8601 `P1M`, and returns the normalized ISO 8601 duration. */
const granularityText = z
  .string()
  .trim()
  .max(40, 'is too long: a duration has at most 40 characters')
  .transform(
    readAs(
      readGranularity,
      'must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month',
    ),
  );

function readGranularity(typed: string): string | undefined {
  const milliseconds = readDuration(typed.toLowerCase());
  const granularity =
    milliseconds === undefined ? parseGranularity(typed.toUpperCase()) : { months: 0, milliseconds };
  return granularity && granularity.milliseconds % 60_000 === 0 ? isoDuration(granularity) : undefined;
}

const onlySpeed = (doing: string, verb: string, key: string): string =>
  `${doing} by ${key} works only with speed metrics. Query only speed, or don't ${verb} by ${key}.`;

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
        'Start: 2026-11-01, "2026-11-01 09:30", 09:30, today, yesterday, or 2h for two hours ago. In your time zone, unless you add another.',
      )
      .meta({ placeholder: 'yesterday', label: 'Start', aliases: ['since'] }),
    to: typedMoment
      .optional()
      .describe('End, not included, in the same form. A date means 00:00. Default: now.')
      .meta({ placeholder: 'today', label: 'End' }),
    every: granularityText
      .optional()
      .describe(
        'Length of an interval in whole minutes, such as 5m, 1h, 1d or P1M (a month). For speed, a multiple of 5m. Default: chosen to fit.',
      )
      .meta({ placeholder: '5m', label: 'Length of an interval' }),
    by: z
      .array(z.enum(filterFields, `must be one of ${filterFields.join(', ')}`))
      .max(filterFields.length, `takes at most ${filterFields.length} fields`)
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
    if (value.names.every(isSpeedMetric)) return;
    const grouped = value.by.find(isSpeedKey);
    if (grouped !== undefined) fault('by', onlySpeed('Grouping', 'group', grouped));
    const filter = value.where.find(({ field }) => isSpeedKey(field));
    if (filter) fault('where', onlySpeed('Filtering', 'filter', filter.field));
  });

export type MetricsInput = z.output<typeof metricsInput>;
