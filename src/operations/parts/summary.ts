import type { MetricPoint } from '../../service/metrics-reply.ts';
import { type Granularity, intervalStart } from '../../service/schemas/cdn/metrics-range.ts';

/** A value and the interval that it is of, by its start in Unix seconds. */
export interface Extreme {
  readonly value: number;
  readonly at: number;
}

/** A series in a few numbers. */
export interface Summary {
  readonly sum: number;
  /** How long the intervals with a value are together. */
  readonly seconds: number;
  /** Weighted by the length of the intervals: the last of a range may be shorter. */
  readonly mean: number;
  readonly lowest: Extreme;
  readonly highest: Extreme;
}

/** The value of a point; undefined where it has none. */
export type PointValue = (point: MetricPoint) => number | undefined;

/** The intervals of a range: each as long as `step`, but none goes on past `to`, epoch milliseconds. */
export interface Intervals {
  readonly step: Granularity;
  readonly to: number;
}

/**
 * One pass over a series; undefined where no point has a value. Of equal extremes, the earliest. `counts`: a short last
 * interval has none beside others, because it counts less.
 */
export function summarize(
  points: readonly MetricPoint[],
  read: PointValue,
  { step, to }: Intervals,
  counts = false,
): Summary | undefined {
  let [sum, weighted, weights] = [0, 0, 0];
  let lowest: Extreme | undefined;
  let highest: Extreme | undefined;
  for (let index = 0; index < points.length; index += 1) {
    const point = points[index];
    const value = point && read(point);
    if (!point || value === undefined) continue;
    const start = point.timestamp * 1000;
    const length = lengthFrom(start, { step, to });
    sum += value;
    weighted += value * length;
    weights += length;
    if (counts && highest && !isWhole(start, { step, to })) continue;
    if (!lowest || value < lowest.value) lowest = { value, at: point.timestamp };
    if (!highest || value > highest.value) highest = { value, at: point.timestamp };
  }
  const mean = weights > 0 ? weighted / weights : 0;
  return lowest && highest && { sum, seconds: weights / 1000, mean, lowest, highest };
}

/** Whether the interval that begins then, epoch milliseconds, is as long as the others. */
export const isWhole = (start: number, { step, to }: Intervals): boolean =>
  intervalStart(start, step, 1) <= to;

/** Of the interval that begins then, milliseconds. A service may send any integer: what is no date has no length. */
function lengthFrom(start: number, { step, to }: Intervals): number {
  const length = Math.min(to, intervalStart(start, step, 1)) - start;
  return length > 0 ? length : 0;
}

/** The number under a metric's name. */
export const numberOf =
  (metric: string): PointValue =>
  (point) => {
    const value = point[metric];
    return typeof value === 'number' ? value : undefined;
  };
