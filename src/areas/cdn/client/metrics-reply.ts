import { type Accepted, type ServiceReply, jsonObject } from '../../../service/errors/reply.ts';
import { filterFields } from './metrics-names.ts';
import { metricsResultRead } from './metrics.ts';
import { isObject } from '../../../text/exact.ts';

/** Maps speed buckets to shares from 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

/** An interval of the service. Missing and empty values are undefined. */
export interface MetricPoint {
  /** In Unix seconds. The interval starts at this time. */
  readonly timestamp: number;
  readonly [name: string]: number | Shares | string | undefined;
}

/** The points of one group, ascending by time. `group` is empty if nothing was grouped. */
export interface MetricSeries {
  /** The value of each grouping key as text, or "" if the service sent none. */
  readonly group: Readonly<Record<string, string>>;
  readonly points: readonly MetricPoint[];
}

export interface MetricsReply {
  readonly series: readonly MetricSeries[];
}

interface Leaf {
  readonly items: readonly unknown[];
  readonly values: readonly string[];
  /** The path of the items in the body, for error messages. */
  readonly at: string;
}

/**
 * Reads the metrics reply in all its forms into one form. Without `group_by`, the reply is an array of items. With
 * `group_by`, it is an array whose items carry the group values, or an object keyed by group value, nested for each
 * further key. See docs/interface.md#cdn-metrics.
 * @throws ServiceError if there are no items in any of these forms
 */
export function readMetricsReply(accepted: Accepted, groupBy: readonly string[]): ServiceReply<MetricsReply> {
  const { data } = jsonObject(accepted, { data: [] });
  const leaves = leavesOf(data, groupBy.length);
  if (leaves === undefined) throw accepted.refuse('it contains no data');

  const problems: string[] = [];
  const series = new Map<string, GrowingSeries>();
  const [key = ''] = groupBy;
  const byValue = new Map<MetricPoint[string], GrowingSeries>();
  // Items usually have one key. Building a text for each point would create much garbage.
  const seriesAt = (leaf: Leaf, item: MetricPoint): GrowingSeries =>
    groupBy.length === 1 && leaf.values.length === 0
      ? byValue.getOrInsertComputed(item[key], () => seriesOf(series, groupBy, leaf, item))
      : seriesOf(series, groupBy, leaf, item);
  for (const leaf of leaves) {
    const reading = metricsResultRead.read({ data: leaf.items });
    problems.push(...reading.problems.map((problem) => leaf.at + problem.slice('data'.length)));
    const items = reading.value.data ?? [];
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index] ?? {};
      if (hasTime(item)) seriesAt(leaf, item).points.push(item);
      else problems.push(`${leaf.at}[${index}].timestamp: expected integer`);
    }
  }
  for (const { points } of series.values()) {
    // Services usually send points in order. Checking the order of thousands of points is faster than sorting them.
    if (!isAscending(points)) points.sort((one, other) => one.timestamp - other.timestamp);
  }
  return { value: { series: [...series.values()] }, problems, status: accepted.status };
}

const isAscending = (points: readonly MetricPoint[]): boolean =>
  points.every(({ timestamp }, index) => index === 0 || timestamp >= (points[index - 1]?.timestamp ?? 0));

const hasTime = (item: { readonly timestamp?: number | undefined }): item is MetricPoint =>
  item.timestamp !== undefined;

interface GrowingSeries extends MetricSeries {
  readonly points: MetricPoint[];
}

function seriesOf(
  known: Map<string, GrowingSeries>,
  groupBy: readonly string[],
  leaf: Leaf,
  point: MetricPoint,
): GrowingSeries {
  const valueAt = (depth: number): string => leaf.values[depth] ?? groupText(point[groupBy[depth] ?? '']);
  const id = JSON.stringify(groupBy.map((_, depth) => valueAt(depth)));
  return known.getOrInsertComputed(id, () => ({
    group: Object.fromEntries(groupBy.map((key, depth) => [key, valueAt(depth)])),
    points: [],
  }));
}

const groupText = (value: MetricPoint[string]): string =>
  typeof value === 'object' ? '' : String(value ?? '');

function leavesOf(data: unknown, depth: number, values: string[] = [], at = 'data'): Leaf[] | undefined {
  if (Array.isArray(data)) return [{ items: data, values, at }];
  if (data === null) return [];
  if (!isObject(data) || values.length === depth) return undefined;
  const leaves: Leaf[] = [];
  for (const [value, inner] of Object.entries(data)) {
    const below = leavesOf(inner, depth, [...values, value], `${at}[${JSON.stringify(value)}]`);
    if (below === undefined) return undefined;
    leaves.push(...below);
  }
  return leaves;
}

const notMetrics: ReadonlySet<string> = new Set(['timestamp', '__proto__', ...filterFields]);

export const metricsOf = (point: MetricPoint): readonly string[] =>
  Object.keys(point).filter((name) => point[name] !== undefined && !notMetrics.has(name));
