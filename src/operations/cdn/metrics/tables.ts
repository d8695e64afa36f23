import type { Table } from '../../../core/model/report.ts';
import { shortName } from './metric.ts';
import { changeText, scaled, valueText } from '../../series/scale.ts';
import { valueIn, type Measure, type Measured, type MetricsView } from './view.ts';
import { partsIn, shareOf, sharesAt, speedUnit } from './speed-bands.ts';
import { summarize, type Reading } from '../../series/summary.ts';

/** The numbers of every metric, of every bucket of speed, and of every group. */
export function metricsTables(view: MetricsView): Table[] {
  const numbers = view.measures.filter(({ parts }) => !parts);
  const speeds = view.measures.filter(({ parts }) => parts);
  return [
    ...(numbers.length === 0 ? [] : [numberTable(view, numbers)]),
    ...speeds.map((measure) => partTable(view, measure)).filter(({ rows }) => rows.length > 0),
    ...(view.groups.length === 0 ? [] : groupTables(view, numbers, speeds)),
  ];
}

function numberTable(view: MetricsView, measures: readonly Measure[]): Table {
  return {
    caption: 'In all: totals of counts, averages over time of all else',
    columns: [
      { label: 'Metric' },
      { label: 'In all', numeric: true },
      { label: 'Change', numeric: true },
      { label: 'Lowest', numeric: true },
      { label: 'Highest', numeric: true },
      { label: 'Highest at' },
    ],
    rows: measures.map((measure) => {
      const { metric, unit } = measure;
      const value = valueIn(measure, view.overall);
      const summary = view.overall.summaries.get(metric);
      if (value === undefined || !summary) return [metric, 'not sent', '', '', '', ''];
      const before = view.before && valueIn(measure, view.before);
      const text = (each: number): string => valueText(unit, each, view.scaleOf(unit));
      return [
        metric,
        text(value),
        before === undefined ? '' : changeText(unit, value, before),
        text(summary.lowest.value),
        text(summary.highest.value),
        view.times.moment(summary.highest.at * 1000),
      ];
    }),
  };
}

function partTable({ overall, before }: MetricsView, { metric, unit }: Measure): Table {
  return {
    caption: `${metric}: ${unit === 'shares' ? `share of each speed, in ${speedUnit}` : 'its parts'}, averaged over time`,
    columns: [
      { label: unit === 'shares' ? 'Speed' : 'Part' },
      { label: 'Average', numeric: true },
      { label: 'Change', numeric: true },
      { label: 'Lowest', numeric: true },
      { label: 'Highest', numeric: true },
    ],
    rows: partsIn(overall.points, metric).flatMap((bucket) => {
      const read = partReading(metric, bucket);
      const summary = summaryOf(overall, read);
      if (!summary) return [];
      const earlier = before && summaryOf(before, read)?.mean;
      return [
        [
          bucket,
          valueText(unit, summary.mean),
          earlier === undefined ? '' : changeText(unit, summary.mean, earlier),
          valueText(unit, summary.lowest.value),
          valueText(unit, summary.highest.value),
        ],
      ];
    }),
  };
}

const summaryOf = ({ points, intervals }: Measured, read: Reading) => summarize(points, read, intervals);

const partReading =
  (metric: string, bucket: string): Reading =>
  (point) =>
    shareOf(sharesAt(point, metric), [bucket]);

function groupTables(
  view: MetricsView,
  numbers: readonly Measure[],
  speeds: readonly Measure[],
): readonly Table[] {
  const { plan, groups, overall, scaleOf } = view;
  const keyColumns = plan.by.map((label) => ({ label }));
  const caption = `By ${plan.by.join(' and ')}: ${groups.length}`;
  const speedTables = speeds.map(({ metric, unit }): Table => {
    const buckets = partsIn(overall.points, metric);
    const shares = (group: Measured) =>
      buckets.map((bucket) => {
        const mean = summaryOf(group, partReading(metric, bucket))?.mean;
        return mean === undefined ? '' : scaled(mean, scaleOf(unit));
      });
    return {
      caption: `${caption}, ${metric}${unit === 'shares' ? ` in %, speeds in ${speedUnit}` : ''}`,
      columns: [...keyColumns, ...buckets.map((label) => ({ label, numeric: true }))],
      rows: groups.map((group) => [group.keys, shares(group)].flat()),
    };
  });
  if (numbers.length === 0) return speedTables;
  return [numbersByGroup(view, numbers, { caption, keyColumns }), ...speedTables];
}

function numbersByGroup(
  { groups, scaleOf }: MetricsView,
  measures: readonly Measure[],
  { caption, keyColumns }: { readonly caption: string; readonly keyColumns: Table['columns'] },
): Table {
  const columns = measures.map((measure) => {
    const { unit } = scaleOf(measure.unit);
    const name = shortName(measure.metric);
    return { label: unit === '' || unit === 'requests' ? name : `${name}, ${unit}`, numeric: true };
  });
  return {
    caption,
    columns: [...keyColumns, ...columns],
    rows: groups.map((group) => [
      ...group.keys,
      ...measures.map((measure) => {
        const value = valueIn(measure, group);
        return value === undefined ? '' : scaled(value, scaleOf(measure.unit));
      }),
    ]),
  };
}
