import { itemCount, numbers, type Table, texts } from '../../../bellhop/bellhop.ts';
import { shortMetric, partsIn, type PointValue, shareOf, speedUnit } from './metric.ts';
import { type Scale, addsUp, differenceText, scaleFor, scaled, valueText } from './scale.ts';
import { type Measure, rateIn, rateText, rateUnit, summarize } from './measure.ts';
import { valueIn, type Measured, type MetricsView } from './view.ts';

export function metricsTables(view: MetricsView): Table[] {
  const single = view.measures.filter(({ parts }) => !parts);
  const speeds = view.measures.filter(({ parts }) => parts);
  return [
    ...(single.length === 0 ? [] : [numberTable(view, single)]),
    ...speeds.map((measure) => partTable(view, measure)).filter(({ rows }) => rows.length > 0),
    ...(view.groups.length === 0 ? [] : groupTables(view, single, speeds)),
  ];
}

function numberTable(view: MetricsView, measures: readonly Measure[]): Table {
  return {
    caption: `Counts are totals, ${
      measures.some(({ total }) => total) ? 'error rates are shares of requests, ' : ''
    }and other metrics are averages`,
    columns: [
      ...texts('Metric'),
      ...numbers('Total / average', 'Rate', 'Change of total / average', 'Lowest', 'Highest'),
      ...texts('Highest at'),
    ],
    rows: measures.map((measure) => {
      const { metric, unit } = measure;
      const name = shortMetric(metric);
      const value = valueIn(measure, view.overall);
      const summary = view.overall.summaries.get(metric);
      if (value === undefined || !summary) return [name, 'not sent', '', '', '', '', ''];
      const rate = addsUp(unit) ? rateIn(measure, view.overall) : undefined;
      const before = view.before && valueIn(measure, view.before);
      const text = (each: number): string => valueText(unit, each, view.scaleOf(unit));
      return [
        name,
        text(value),
        rate === undefined ? '' : rateText(view, measure, rate),
        before === undefined ? '' : differenceText(unit, value, before),
        text(summary.lowest.value),
        text(summary.highest.value),
        view.times.moment(summary.highest.at * 1000),
      ];
    }),
  };
}

function partTable({ overall, before }: MetricsView, { metric, unit }: Measure): Table {
  return {
    caption: `${shortMetric(metric)} by ${unit === 'shares' ? `bucket (${speedUnit})` : 'part'}, average over time`,
    columns: [
      ...texts(unit === 'shares' ? 'Speed' : 'Part'),
      ...numbers('Average', 'Change', 'Lowest', 'Highest'),
    ],
    rows: partsIn(overall.points, metric).flatMap((bucket) => {
      const read = shareOf(metric, [bucket]);
      const summary = summaryOf(overall, read);
      if (!summary) return [];
      const earlier = before && summaryOf(before, read)?.mean;
      return [
        [
          bucket,
          valueText(unit, summary.mean),
          earlier === undefined ? '' : differenceText(unit, summary.mean, earlier),
          valueText(unit, summary.lowest.value),
          valueText(unit, summary.highest.value),
        ],
      ];
    }),
  };
}

const summaryOf = ({ points, intervals }: Measured, read: PointValue) => summarize(points, read, intervals);

function groupTables(
  view: MetricsView,
  single: readonly Measure[],
  speeds: readonly Measure[],
): readonly Table[] {
  const { plan, groups, overall, scaleOf } = view;
  const keyColumns = texts(...plan.by);
  const caption = `By ${plan.by.join(' and ')}: ${itemCount(groups.length, 'group', 'groups')}`;
  const speedTables = speeds.map(({ metric, unit }): Table => {
    const buckets = partsIn(overall.points, metric);
    const shares = (group: Measured) =>
      buckets.map((bucket) => {
        const mean = summaryOf(group, shareOf(metric, [bucket]))?.mean;
        return mean === undefined ? '' : scaled(mean, scaleOf(unit));
      });
    return {
      caption: `${caption}, ${shortMetric(metric)}${unit === 'shares' ? ` in % per bucket (${speedUnit})` : ''}`,
      columns: [...keyColumns, ...numbers(...buckets)],
      rows: groups.map((group) => [group.keys, shares(group)].flat()),
    };
  });
  if (single.length === 0) return speedTables;
  return [numbersByGroup(view, single, { caption, keyColumns }), ...speedTables];
}

function numbersByGroup(
  { groups, scaleOf }: MetricsView,
  measures: readonly Measure[],
  { caption, keyColumns }: { readonly caption: string; readonly keyColumns: Table['columns'] },
): Table {
  const columns = measures.flatMap((measure) => {
    const name = shortMetric(measure.metric);
    const values = groups.map((group) => valueIn(measure, group));
    const column = numberColumn(name, values, scaleOf(measure.unit));
    if (!addsUp(measure.unit)) return [column];
    const rates = groups.map((group) => rateIn(measure, group));
    const scale = scaleFor(rateUnit(measure), Math.max(...rates.map((rate) => rate ?? 0)));
    return [column, numberColumn(name, rates, scale, measure.total && '% of requests')];
  });
  return {
    caption,
    columns: [...keyColumns, ...numbers(...columns.map(({ label }) => label))],
    rows: groups.map(({ keys }, row) => [...keys, ...columns.map(({ cells }) => cells[row] ?? '')]),
  };
}

function numberColumn(
  name: string,
  values: readonly (number | undefined)[],
  scale: Scale,
  unit: string = scale.unit,
) {
  return {
    label: unit === '' || unit === 'requests' ? name : `${name}, ${unit}`,
    cells: values.map((value) => (value === undefined ? '' : scaled(value, scale))),
  };
}
