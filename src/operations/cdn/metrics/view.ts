import {
  type MetricPoint,
  type MetricSeries,
  type MetricsReply,
  metricsOf,
} from '../../../api/metrics-reply.ts';
import { type MetricUnit, statusMetrics } from '../../../api/schemas/metrics-names.ts';
import { unitOf } from './metric.ts';
import { type Scale, addsUp, scaleFor } from '../../series/scale.ts';
import { type Intervals, type Reading, type Summary, numberOf, summarize } from '../../series/summary.ts';
import type { MetricsPlan } from './plan.ts';
import { slowShare } from './speed-bands.ts';
import type { TimeRange } from '../../series/time-range.ts';
import { type TimeText, timeText } from '../../series/time-text.ts';

/** A metric of an answer and how it is read. */
export interface Measure {
  /** Long name. */
  readonly metric: string;
  readonly unit: MetricUnit | undefined;
  /** Whether a point has several numbers by name, as speeds have one a bucket. */
  readonly parts: boolean;
  /** The number of a point: of speeds, the share in the slow buckets. */
  readonly read: Reading;
}

/** The points of everything, or of one group, and what they come to by metric. */
export interface Measured {
  /** Values of the grouping keys; "" where the service named none. */
  readonly keys: readonly string[];
  readonly name: string;
  readonly points: readonly MetricPoint[];
  /** Of these points. */
  readonly intervals: Intervals;
  readonly summaries: ReadonlyMap<string, Summary>;
}

/** An answer, summed up once for headline, charts and tables. */
export interface MetricsView {
  readonly plan: MetricsPlan;
  readonly times: TimeText;
  /** Those asked for, errors first, then whatever else the service sent. */
  readonly measures: readonly Measure[];
  readonly overall: Measured;
  /** The range before, as a whole; undefined where it is not known. */
  readonly before: Measured | undefined;
  /** Those first that matter most for the first measure. Empty where nothing was grouped. */
  readonly groups: readonly Measured[];
  /** In which line, charts and tables show values of a unit: the one of an answer, so that they can be compared. */
  readonly scaleOf: (unit: MetricUnit | undefined) => Scale;
}

export function metricsView(
  plan: MetricsPlan,
  replies: {
    readonly overall: MetricsReply;
    readonly before: { readonly range: TimeRange; readonly reply: MetricsReply } | undefined;
    readonly grouped: MetricsReply | undefined;
  },
): MetricsView {
  const points = pointsOf(replies.overall);
  const measures = measuresIn(plan.metrics, points);
  const measured = ({ group, points: own }: MetricSeries, intervals: Intervals = plan): Measured => ({
    keys: plan.by.map((key) => group[key] ?? ''),
    name: plan.by.map((key) => group[key] || `no ${key}`).join(' · '),
    points: own,
    intervals,
    summaries: new Map(
      measures.flatMap(({ metric, read }) => {
        const summary = summarize(own, read, intervals);
        return summary ? [[metric, summary]] : [];
      }),
    ),
  });
  const whole = (own: readonly MetricPoint[], intervals?: Intervals): Measured => ({
    ...measured({ group: {}, points: own }, intervals),
    name: 'all',
  });
  const { before, grouped } = replies;
  const groups = (grouped?.series ?? []).map((series) => measured(series));
  const overall = whole(points);
  return {
    plan,
    times: timeText(plan, plan.step, plan.zone),
    measures,
    overall,
    before: before && whole(pointsOf(before.reply), { step: plan.step, to: before.range.to }),
    groups: measures[0] ? sortedBy(measures[0], groups) : groups,
    scaleOf: scalesOf(measures, [overall, ...groups]),
  };
}

/** By the highest value that an interval has. */
function scalesOf(measures: readonly Measure[], all: readonly Measured[]): MetricsView['scaleOf'] {
  const most = new Map<MetricUnit | undefined, number>();
  for (const { metric, unit } of measures)
    for (const { summaries } of all)
      most.set(unit, Math.max(most.get(unit) ?? 0, summaries.get(metric)?.highest.value ?? 0));
  return (unit) => scaleFor(unit, most.get(unit) ?? 0);
}

const pointsOf = ({ series }: MetricsReply): readonly MetricPoint[] => series.flatMap(({ points }) => points);

/** What was asked for and came, or was only asked for, or only came. */
function measuresIn(asked: readonly string[], points: readonly MetricPoint[]): readonly Measure[] {
  const came = new Map<string, boolean>();
  for (const point of points)
    for (const name of metricsOf(point)) if (!came.has(name)) came.set(name, typeof point[name] === 'object');
  return [...new Set([...asked, ...came.keys()])]
    .map((metric): Measure => {
      const unit = unitOf(metric);
      const parts = unit === 'shares' || (unit === undefined && came.get(metric) === true);
      return { metric, unit, parts, read: parts ? (point) => slowShare(point, metric) : numberOf(metric) };
    })
    .toSorted((one, other) => severity(one.metric) - severity(other.metric));
}

const statuses = new Map(statusMetrics.map((each) => [each.name, each]));

/** The side and status that a metric counts, if it counts one. */
export const statusOf = (metric: string) => statuses.get(metric);

/** 5xx before 4xx before everything else, classes before single statuses. */
function severity(metric: string): number {
  const status = statusOf(metric)?.status ?? '';
  const single = status.endsWith('xx') ? 0 : 1;
  if (status.startsWith('5')) return single;
  return status.startsWith('4') ? 2 + single : 4;
}

/** What a series comes to: its sum where its values add up, else its average over time. */
export const valueIn = ({ metric, unit }: Measure, { summaries }: Measured): number | undefined => {
  const summary = summaries.get(metric);
  return summary && (addsUp(unit) ? summary.sum : summary.mean);
};

/** Of a ratio, low is what matters; of all else, slow shares too, high. */
const sortedBy = (measure: Measure, groups: readonly Measured[]): readonly Measured[] => {
  const sign = measure.unit === 'ratio' ? 1 : -1;
  const rank = new Map(groups.map((group) => [group, valueIn(measure, group)]));
  const orderOf = (group: Measured): number => {
    const value = rank.get(group);
    return value === undefined ? Number.MAX_VALUE : sign * value;
  };
  return groups.toSorted((one, other) => orderOf(one) - orderOf(other) || one.name.localeCompare(other.name));
};
