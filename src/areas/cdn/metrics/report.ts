import {
  countText,
  type Csv,
  type Fact,
  given,
  givenFacts,
  itemCount,
  type ReportParts,
} from '../../../bellhop/bellhop.ts';
import { replyNotes } from '../client/calls.ts';
import type { MetricPoint } from '../client/metrics-reply.ts';
import { countPoints } from '../client/metrics-range.ts';
import { metricsCharts } from './charts.ts';
import { metricsHeadline } from './headline.ts';
import { shortMetric, unitOf, partsIn, sharesAt } from './metric.ts';
import { addsUp } from './scale.ts';
import { filterText, granularityWords, type MetricsPlan, type ShortInterval, shortLast } from './plan.ts';
import { metricsTables } from './tables.ts';
import { spanText } from './times.ts';
import { type MetricsAnswer, type MetricsView, metricsView } from './view.ts';

export function metricsReport(answer: MetricsAnswer): ReportParts {
  const view = metricsView(answer);
  return {
    title: `CDN metrics: ${titleOf(answer.plan)}`,
    headline: metricsHeadline(view),
    facts: factsOf(view),
    charts: metricsCharts(view),
    tables: metricsTables(view),
    notes: notesOf(answer, view),
    csv: metricsCsv(view),
  };
}

function titleOf({ metrics }: MetricsPlan): string {
  const names = metrics.map(shortMetric);
  return names.length <= 6
    ? names.join(', ')
    : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

function factsOf({ plan, times }: MetricsView): Fact[] {
  const { from, to, step, by, filters } = plan;
  const points = countText(countPoints(from, to, step));
  return givenFacts([
    ['Range', `${times.full(from)} to ${times.full(to)} (${spanText(to - from)})`],
    ['Intervals', `${points} × ${granularityWords(step)}`],
    ['By', by.join(', ')],
    ['Only', filters.map(filterText).join('; ')],
  ]);
}

/** The service also sends zeros for a resource that does not exist. */
function nothingFound({ plan: { filters }, overall }: MetricsView): readonly string[] {
  const all = [...overall.summaries.values()];
  if (filters.length === 0 || all.length === 0 || all.some(({ highest }) => highest.value !== 0)) return [];
  return [`The service counted nothing for ${filters.map(filterText).join(' and ')}. Check the spelling.`];
}

function shortText({ length }: ShortInterval, { measures }: MetricsView): string {
  const drawn = measures.some(({ unit }) => addsUp(unit)) ? ', so charts of counts omit it' : '';
  return `The last interval is only ${spanText(length)} long${drawn}.`;
}

function notesOf(
  { overall, grouped, earlier, hosts, unknownZone }: MetricsAnswer,
  view: MetricsView,
): string[] {
  const { plan, measures } = view;
  const short = shortLast(plan);
  const averaged = measures.filter(
    ({ metric, unit }) => unit !== undefined && !addsUp(unit) && view.overall.summaries.has(metric),
  );
  const unasked = measures.filter(({ metric }) => !plan.metrics.includes(metric));
  return given(
    ...[earlier, hosts].map((extra) => extra && 'problem' in extra && extra.problem),
    nothingFound(view),
    view.outside > 0 &&
      `The service also sent ${itemCount(view.outside, 'row')} outside the range, which ${view.outside === 1 ? 'does' : 'do'} not count.`,
    plan.to > plan.now && 'The range ends in the future; missing values count as zero.',
    short && shortText(short, view),
    averaged.length > 0 && 'Speeds, ratios and rates are averages over time, not weighted by traffic.',
    unasked.map(({ metric }) =>
      unitOf(metric) === undefined
        ? `The service also sent “${metric}”, which Bellhop does not know. It is shown unchanged.`
        : `The service also sent ${metric}.`,
    ),
    unknownZone !== undefined &&
      `Your profile's time zone, “${unknownZone}”, is unknown, so times are in UTC.`,
    replyNotes(overall),
    grouped && replyNotes(grouped),
  );
}

type Cell = string | number;

function metricsCsv(view: MetricsView): Csv {
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
  const timeOf = (timestamp: number): string => times.getOrInsertComputed(timestamp, isoTime);
  return (plan.by.length > 0 ? groups : [overall]).flatMap(({ keys, points }) =>
    points.map((point) => [timeOf(point.timestamp), ...keys, ...columns.map(({ cell }) => cell(point))]),
  );
}

const numberIn = (value: unknown): Cell => (typeof value === 'number' ? value : '');

/** Integers that are not dates stay numbers. */
const isoTime = (timestamp: number): string => {
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString().replace('.000Z', 'Z');
};
