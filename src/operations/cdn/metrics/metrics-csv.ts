import type { Report } from '../../../core/report.ts';
import { sharesAt, partsIn } from './speed-bands.ts';
import type { MetricPoint } from '../../../api/metrics-reply.ts';
import type { MetricsView } from './metrics-view.ts';

type Cell = string | number;

/** All points as the service sent them: a row an interval and group, a column a metric, or a bucket of a speed. */
export function metricsCsv({ plan, measures, overall, groups }: MetricsView): NonNullable<Report['csv']> {
  const columns = measures.flatMap(
    ({ metric, parts }): { name: string; cell: (point: MetricPoint) => Cell }[] =>
      parts
        ? partsIn(overall.points, metric).map((bucket) => ({
            name: `${metric} ${bucket}`,
            cell: (point) => sharesAt(point, metric)?.[bucket] ?? '',
          }))
        : [{ name: metric, cell: ({ values }) => numberIn(values[metric]) }],
  );
  const times = new Map<number, string>();
  const timeOf = (timestamp: number): string => {
    const known = times.get(timestamp);
    if (known !== undefined) return known;
    const text = isoTime(timestamp);
    times.set(timestamp, text);
    return text;
  };
  return {
    fileName: 'cdn-metrics.csv',
    columns: ['time', ...plan.by, ...columns.map(({ name }) => name)],
    rows: (plan.by.length > 0 ? groups : [overall]).flatMap(({ keys, points }) =>
      points.map((point) => [timeOf(point.timestamp), ...keys, ...columns.map(({ cell }) => cell(point))]),
    ),
  };
}

const numberIn = (value: unknown): Cell => (typeof value === 'number' ? value : '');

/** A service can send any integer: one that is no date stays a number. */
const isoTime = (timestamp: number): string => {
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString().replace('.000Z', 'Z');
};
