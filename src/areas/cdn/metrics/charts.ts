import type { Chart } from '../../../bellhop/bellhop.ts';
import { shortMetric, partsIn, type PointValue, shareOf, slowText, speedBands, speedUnit } from './metric.ts';
import { addsUp, scaled } from './scale.ts';
import { statusOf, type Measure } from './measure.ts';
import type { Measured, MetricsView } from './view.ts';
import { shortLast } from './plan.ts';

interface Line {
  readonly name: string;
  readonly of: Measured;
  readonly read: PointValue;
  /** In seconds. The points of this line are this much earlier than the others in the chart. */
  readonly earlierBy?: number;
}

/** People can distinguish at most this many lines. Surfaces draw fewer and say so. */
const maxLines = 12;

export function metricsCharts(view: MetricsView): Chart[] {
  const { overall, groups, measures, scaleOf } = view;
  const axis = axisOf(view);
  if (axis.timestamps.length === 0) return [];
  if (groups.length > 0) {
    const sent = measures.filter((measure) => groups.some(({ summaries }) => summaries.has(measure.metric)));
    return sent.map((measure) => {
      const lines = groups.slice(0, maxLines).map((of): Line => ({ name: of.name, of, read: measure.read }));
      const meaning = measure.unit === 'shares' ? `: ${slowText}` : '';
      const which = groups.length > lines.length ? `, ${lines.length} of ${groups.length}` : '';
      const title = `${shortMetric(measure.metric)}${meaning}${which}`;
      return chartOf(axis, scaleOf, { title, measure, lines });
    });
  }
  return [...Map.groupBy(measures, familyOf).values()].flatMap((family) => {
    const [first] = family;
    if (!first) return [];
    const names = family.map(({ metric }) => shortMetric(metric)).join(', ');
    const title = first.unit === 'shares' ? `${names}, ${speedUnit}` : names;
    const lines = family.flatMap((measure) => linesOf(measure, overall));
    if (lines.length === 0) return [];
    return [
      chartOf(axis, scaleOf, { title, measure: first, lines: [...lines, ...earlierLines(view, lines)] }),
    ];
  });
}

/** The metrics of a family share an axis. Errors have their own, because they would look flat next to successes. */
function familyOf({ metric, unit, parts }: Measure): string {
  const status = statusOf(metric)?.status;
  if (status !== undefined) return /^[45]/u.test(status) ? `${status.charAt(0)}xx` : 'answers';
  if (unit === 'requests') return 'answers';
  return unit === undefined || parts ? metric : unit;
}

function linesOf({ metric, unit, parts, read }: Measure, of: Measured): Line[] {
  if (!parts) return of.summaries.has(metric) ? [{ name: shortMetric(metric), of, read }] : [];
  const bands =
    unit === 'shares' ? speedBands : partsIn(of.points, metric).map((name) => ({ name, buckets: [name] }));
  return bands
    .map(({ name, buckets }) => ({ name, of, read: shareOf(metric, buckets) }))
    .filter((line) => of.points.some((point) => line.read(point) !== undefined));
}

/** Lines of the previous range would clutter a chart with more lines than this. */
const maxWithEarlier = 3;

function earlierLines({ plan, before }: MetricsView, lines: readonly Line[]): readonly Line[] {
  if (!before || plan.step.months > 0 || lines.length > maxWithEarlier) return [];
  const earlierBy = (plan.to - plan.from) / 1000;
  return lines.map(({ name, read }) => ({ name, of: before, read, earlierBy }));
}

interface Axis {
  readonly timestamps: readonly number[];
  readonly labels: readonly string[];
  readonly name: string;
  /** The number of full intervals. The count of a short last interval would look like a drop. */
  readonly full: number;
}

function axisOf({ plan, overall, times }: MetricsView): Axis {
  const timestamps = [...new Set(overall.points.map(({ timestamp }) => timestamp))];
  const labels = timestamps.map((timestamp) => times.label(timestamp * 1000));
  const short = shortLast(plan)?.start;
  const isShort =
    short !== undefined && timestamps.length > 1 && timestamps.at(-1) === Math.floor(short / 1000);
  const name = `Time in ${plan.zone}`;
  return { timestamps, labels, name, full: timestamps.length - (isShort ? 1 : 0) };
}

interface Drawing {
  readonly title: string;
  readonly measure: Measure;
  readonly lines: readonly Line[];
}

function chartOf(
  { timestamps, labels, name, full }: Axis,
  scaleOf: MetricsView['scaleOf'],
  { title, measure: { unit }, lines }: Drawing,
): Chart {
  const shown = addsUp(unit) ? full : timestamps.length;
  const scale = scaleOf(unit);
  return {
    kind: 'line',
    title,
    unit: scale.unit,
    axis: name,
    merge: addsUp(unit) ? 'sum' : 'average',
    labels: labels.slice(0, shown),
    series: lines.map((line) => ({
      name: line.name,
      values: valuesAt(line, timestamps.slice(0, shown)).map((value) =>
        value === null ? null : scaled(value, scale),
      ),
      earlier: line.earlierBy === undefined ? undefined : true,
    })),
  };
}

/** Returns a line's value at each of these times, which nearly always are the line's own times. */
function valuesAt(
  { of: { points }, read, earlierBy = 0 }: Line,
  shown: readonly number[],
): readonly (number | null)[] {
  const timestamps = shown.map((timestamp) => timestamp - earlierBy);
  if (timestamps.every((timestamp, index) => timestamp === points[index]?.timestamp)) {
    return points.slice(0, timestamps.length).map((point) => read(point) ?? null);
  }
  const byTime = new Map(points.map((point) => [point.timestamp, read(point)]));
  return timestamps.map((timestamp) => byTime.get(timestamp) ?? null);
}
