import type { ServiceReply } from '../client/calls.ts';
import type { MetricPoint, MetricSeries, MetricsReply } from '../client/metrics-reply.ts';
import type { MetricUnit } from '../client/metrics-names.ts';
import {
  type Measure,
  measuresIn,
  rateIn,
  type Intervals,
  type Summary,
  secondsOf,
  summarize,
} from './measure.ts';
import { type Scale, addsUp, scaleFor } from './scale.ts';
import type { MetricsPlan } from './plan.ts';
import { rangeBefore, type TimeRange, type TimeText, timeText } from './times.ts';

export type Extra = ServiceReply<MetricsReply> | { readonly problem: string };

export interface MetricsAnswer {
  readonly plan: MetricsPlan;
  readonly overall: ServiceReply<MetricsReply>;
  /** Undefined if nothing is grouped. */
  readonly grouped: ServiceReply<MetricsReply> | undefined;
  readonly earlier: Extra;
  /** The metrics by host, for errors without grouping. */
  readonly hosts?: Extra | undefined;
  /** Set if the profile's zone is invalid. */
  readonly unknownZone: string | undefined;
}

export interface Measured {
  /** The values of the grouping keys. A value is "" if the service sent none. */
  readonly keys: readonly string[];
  readonly name: string;
  readonly points: readonly MetricPoint[];
  readonly intervals: Intervals;
  readonly seconds: number;
  readonly summaries: ReadonlyMap<string, Summary>;
}

export interface MetricsView {
  readonly plan: MetricsPlan;
  readonly times: TimeText;
  /** The requested measures, errors first, then others that the service sent. */
  readonly measures: readonly Measure[];
  readonly overall: Measured;
  /** The number of points outside the range. These points are ignored. */
  readonly outside: number;
  readonly before: Measured | undefined;
  /** Groups are sorted by the first measure, worst first. Empty if nothing is grouped. */
  readonly groups: readonly Measured[];
  /** The groups if the answer is grouped, otherwise the hosts. Empty if the hosts are not known. */
  readonly hosts: readonly Measured[];
  /** Returns the scale of a unit. The scale is the same in the whole answer, so that values are comparable. */
  readonly scaleOf: (unit: MetricUnit | undefined) => Scale;
}

const valueOf = (extra: Extra | undefined): MetricsReply | undefined =>
  extra && 'value' in extra ? extra.value : undefined;

export function metricsView({ plan, ...answer }: MetricsAnswer): MetricsView {
  const points = pointsIn(plan, answer.overall.value.series);
  const measures = measuresIn(plan, points);
  const by = plan.by.length > 0 ? plan.by : hostKeys;
  const measured = (
    { group, points: own }: MetricSeries,
    intervals: Intervals,
    seconds: number,
  ): Measured => ({
    keys: by.map((key) => group[key] ?? ''),
    name: by.map((key) => group[key] || `no ${key}`).join(' · '),
    points: own,
    intervals,
    seconds,
    summaries: new Map(
      measures.flatMap(({ metric, unit, read }) => {
        const summary = summarize(own, read, intervals, addsUp(unit));
        return summary ? [[metric, summary]] : [];
      }),
    ),
  });
  const whole = (own: readonly MetricPoint[], intervals: Intervals = plan): Measured => ({
    ...measured({ group: {}, points: own }, intervals, secondsOf(own, intervals)),
    name: 'all',
  });
  const before = valueOf(answer.earlier);
  const overall = whole(points);
  const [main] = measures;
  const groupsOf = (reply: MetricsReply | undefined): readonly Measured[] => {
    const groups = (reply?.series ?? []).map(({ group, points: own }) =>
      measured({ group, points: inRange(plan, own) }, plan, overall.seconds),
    );
    return main ? sortedByRate(main, groups, overall) : groups;
  };
  const groups = groupsOf(answer.grouped?.value);
  return {
    plan,
    times: timeText(plan, plan.step, plan.zone),
    measures,
    overall,
    outside: answer.overall.value.series.reduce((sum, series) => sum + series.points.length, -points.length),
    before: before && whole(pointsIn(rangeBefore(plan), before.series), { step: plan.step, to: plan.from }),
    groups,
    hosts: answer.grouped ? groups : groupsOf(valueOf(answer.hosts)),
    scaleOf: scalesOf(measures, [overall, ...groups]),
  };
}

/** For each unit, the highest value of any interval determines the scale. */
function scalesOf(measures: readonly Measure[], all: readonly Measured[]): MetricsView['scaleOf'] {
  const most = new Map<MetricUnit | undefined, number>();
  for (const { metric, unit } of measures)
    for (const { summaries } of all)
      most.set(unit, Math.max(most.get(unit) ?? 0, summaries.get(metric)?.highest.value ?? 0));
  return (unit) => scaleFor(unit, most.get(unit) ?? 0);
}

/** `points` are ascending by time. */
function inRange({ from, to }: TimeRange, points: readonly MetricPoint[]): readonly MetricPoint[] {
  const isIn = ({ timestamp }: MetricPoint): boolean => timestamp * 1000 >= from && timestamp * 1000 < to;
  const [first, last] = [points[0], points.at(-1)];
  return first && last && isIn(first) && isIn(last) ? points : points.filter(isIn);
}

const pointsIn = (range: TimeRange, series: readonly MetricSeries[]): readonly MetricPoint[] =>
  series.flatMap(({ points }) => inRange(range, points));

/** The service groups by host with this key. */
export const hostKeys: readonly string[] = ['cname'];

/** Returns the sum of a series if its values add up, otherwise the average over time. */
export const valueIn = ({ metric, unit }: Measure, { summaries }: Measured): number | undefined => {
  const summary = summaries.get(metric);
  return summary && (addsUp(unit) ? summary.sum : summary.mean);
};

/** Below this share of a count, a group's rate means little: one error in two requests is 50 %. */
const leastShare = 0.05;

/** Sorts by rate, worst first, and light groups last. For ratios, low is bad. For everything else, high is bad. */
export const sortedByRate = (
  measure: Measure,
  groups: readonly Measured[],
  overall: Measured,
): readonly Measured[] => {
  const sign = measure.unit === 'ratio' ? 1 : -1;
  const least = addsUp(measure.unit) ? leastShare * (valueIn(measure, overall) ?? 0) : undefined;
  const ranks = groups.map((group) => {
    const rate = rateIn(measure, group);
    return {
      group,
      light: least !== undefined && (valueIn(measure, group) ?? 0) < least ? 1 : 0,
      order: rate === undefined ? Number.MAX_VALUE : sign * rate,
    };
  });
  return ranks
    .toSorted(
      (one, other) =>
        one.light - other.light || one.order - other.order || one.group.name.localeCompare(other.group.name),
    )
    .map(({ group }) => group);
};
