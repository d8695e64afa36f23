import type { Accepted } from './accepted.ts';
import { isObject, jsonObject } from './json-body.ts';
import type { Reply } from './reply.ts';
import { readLeniently } from './schemas/lenient.ts';
import { filterFields } from './schemas/metrics-names.ts';
import { metricsResultRead } from './schemas/metrics.ts';

/** Shares by speed bucket, each from 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

/** One interval. A metric that the service left out is not in `values`. */
export interface MetricPoint {
  /** Start of the interval, Unix seconds. */
  readonly timestamp: number;
  readonly values: Readonly<Record<string, number | Shares>>;
}

/** The points of one group, ascending by time. `group` is empty where nothing was grouped. */
export interface MetricSeries {
  /** The value under each grouping key, as text; "" where the service named none. */
  readonly group: Readonly<Record<string, string>>;
  readonly points: readonly MetricPoint[];
}

export interface MetricsReply {
  readonly series: readonly MetricSeries[];
}

interface Leaf {
  readonly items: readonly unknown[];
  /** Values of the grouping keys that led here, in their order. */
  readonly values: readonly string[];
  /** Where it stands in the body, for problems. */
  readonly at: string;
}

/**
 * Reads row 1 in all its forms into one: an array of items; with `group_by`, an array whose items carry the group
 * values, or an object keyed by group value, nested for each further key. "Row 1: metrics" of the interface notes.
 * @throws ServiceError where there are no items in any of these forms.
 */
export function readMetricsReply(accepted: Accepted, groupBy: readonly string[]): Reply<MetricsReply> {
  const { data } = jsonObject(accepted);
  const leaves = leavesOf(data, groupBy.length);
  if (leaves === undefined) throw accepted.refuse('it holds no data');

  const problems: string[] = [];
  const series = new Map<string, { group: Record<string, string>; points: MetricPoint[] }>();
  for (const leaf of leaves) {
    const reading = readLeniently(metricsResultRead, { data: leaf.items });
    const itemProblems = reading.problems.map((problem) => leaf.at + problem.slice('data'.length));
    for (const [index, item] of (reading.value.data ?? []).entries()) {
      const point = pointOf(item, () => `${leaf.at}[${index}]`, itemProblems);
      if (point === undefined) continue;
      const values = groupBy.map((key, depth) => leaf.values[depth] ?? groupText(item, key));
      const [only] = values;
      const id = only !== undefined && values.length === 1 ? only : JSON.stringify(values);
      const known = series.get(id);
      if (known !== undefined) known.points.push(point);
      else series.set(id, { group: groupOf(groupBy, values), points: [point] });
    }
    problems.push(...itemProblems);
  }
  for (const { points } of series.values()) points.sort((one, other) => one.timestamp - other.timestamp);
  return { value: { series: [...series.values()] }, problems, status: accepted.status };
}

function leavesOf(data: unknown, depth: number, values: string[] = [], at = 'data'): Leaf[] | undefined {
  if (Array.isArray(data)) return [{ items: data, values, at }];
  if (data === null && values.length === 0) return [];
  if (!isObject(data) || values.length === depth) return undefined;
  const leaves: Leaf[] = [];
  for (const [value, inner] of Object.entries(data)) {
    const below = leavesOf(inner, depth, [...values, value], `${at}[${JSON.stringify(value)}]`);
    if (below === undefined) return undefined;
    leaves.push(...below);
  }
  return leaves;
}

const groupOf = (keys: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));

function groupText(item: Readonly<Record<string, unknown>>, key: string): string {
  const value = item[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const notMetrics: ReadonlySet<string> = new Set(['timestamp', '__proto__', ...filterFields]);

function pointOf(
  item: Readonly<Record<string, unknown>>,
  at: () => string,
  problems: string[],
): MetricPoint | undefined {
  const { timestamp } = item;
  if (typeof timestamp !== 'number') {
    problems.push(`${at()}.timestamp: expected integer`);
    return undefined;
  }
  const values: Record<string, number | Shares> = {};
  for (const name in item) {
    if (notMetrics.has(name)) continue;
    const value = item[name];
    if (typeof value === 'number') values[name] = value;
    else if (isObject(value)) values[name] = sharesOf(value, () => `${at()}.${name}`, problems);
  }
  return { timestamp, values };
}

function sharesOf(buckets: Readonly<Record<string, unknown>>, at: () => string, problems: string[]): Shares {
  const shares = Object.entries(buckets).flatMap(([bucket, value]): [string, number][] => {
    const share = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof share === 'number' && Number.isFinite(share)) return [[bucket, share]];
    if (value !== undefined) problems.push(`${at()}.${bucket}: expected decimal`);
    return [];
  });
  return Object.fromEntries(shares);
}
