import type { Csv } from '../../../core/model/report.ts';
import { sharesAt, partsIn } from './speed-bands.ts';
import type { MetricPoint } from '../../../api/metrics-reply.ts';
import type { MetricsView } from './metrics-view.ts';

type Cell = string | number;

/** All points as the service sent them: a row an interval and group, a column a metric, or a bucket of a speed. */
export function metricsCsv(view: MetricsView): Csv {
  const columns = columnsOf(view);
  return {
    fileName: 'cdn-metrics.csv',
    columns: ['time', ...view.plan.by, ...columns.map(({ name }) => name)],
    get rows() {
      return rowsOf(view, columns);
    },
  };
}

interface Column {
  readonly name: string;
  readonly cell: (point: MetricPoint) => Cell;
}

const columnsOf = ({ measures, overall }: MetricsView): readonly Column[] =>
  measures.flatMap(({ metric, parts }): Column[] =>
    parts
      ? partsIn(overall.points, metric).map((part) => ({
          name: `${metric} ${part}`,
          cell: (point) => sharesAt(point, metric)?.[part] ?? '',
        }))
      : [{ name: metric, cell: (point) => numberIn(point[metric]) }],
  );

function rowsOf({ plan, overall, groups }: MetricsView, columns: readonly Column[]): Csv['rows'] {
  const times = new Map<number, string>();
  const timeOf = (timestamp: number): string => {
    const text = times.get(timestamp) ?? isoTime(timestamp);
    times.set(timestamp, text);
    return text;
  };
  return (plan.by.length > 0 ? groups : [overall]).flatMap(({ keys, points }) =>
    points.map((point) => [timeOf(point.timestamp), ...keys, ...columns.map(({ cell }) => cell(point))]),
  );
}

const numberIn = (value: unknown): Cell => (typeof value === 'number' ? value : '');

/** A service can send any integer: one that is no date stays a number. */
const isoTime = (timestamp: number): string => {
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString().replace('.000Z', 'Z');
};
