import type { MetricPoint } from '../../../api/metrics-reply.ts';

/** A value and the interval that it is of, by its start in Unix seconds. */
export interface Extreme {
  readonly value: number;
  readonly at: number;
}

/** A series in a few numbers. */
export interface Summary {
  readonly sum: number;
  /** Weighted by the length of the intervals: the last of a range may be shorter. */
  readonly mean: number;
  readonly lowest: Extreme;
  readonly highest: Extreme;
}

/** The value of a point; undefined where it has none. */
export type Reading = (point: MetricPoint) => number | undefined;

/** How long the interval of a point is, in any unit, by its start in Unix seconds. */
export type Weight = (timestamp: number) => number;

/** One pass over a series; undefined where no point has a value. Of equal extremes, the earliest. */
export function summarize(
  points: readonly MetricPoint[],
  read: Reading,
  weight: Weight,
): Summary | undefined {
  let [sum, weighted, weights] = [0, 0, 0];
  let lowest: Extreme | undefined;
  let highest: Extreme | undefined;
  for (const point of points) {
    const value = read(point);
    if (value === undefined) continue;
    const length = weight(point.timestamp);
    sum += value;
    weighted += value * length;
    weights += length;
    if (!lowest || value < lowest.value) lowest = { value, at: point.timestamp };
    if (!highest || value > highest.value) highest = { value, at: point.timestamp };
  }
  return lowest && highest && { sum, mean: weights > 0 ? weighted / weights : 0, lowest, highest };
}

/** The number under a metric's name. */
export const numberOf =
  (metric: string): Reading =>
  ({ values }) => {
    const value = values[metric];
    return typeof value === 'number' ? value : undefined;
  };
