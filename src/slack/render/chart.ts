import type { Chart } from '../../model/values/report.ts';
import { type MessageBlock, preformatted } from './blocks.ts';
import { oneLine, plainLine } from './text.ts';
import { limits } from './limits.ts';
import { numberText, textGrid } from './table.ts';

export interface RenderedChart {
  readonly blocks: readonly MessageBlock[];
  readonly notes: readonly string[];
}

/** Falls back to text if nothing can be drawn. */
export function renderChart(chart: Chart): RenderedChart {
  const title = plainLine(chart.title, limits.chartTitle);
  const { labels, series, notes } = fitChart(chart);
  const [first] = series;
  if (labels.length === 0 || !first) return renderPlainChart(chart);
  const dataOf = (values: readonly number[]) =>
    labels.map((label, index) => ({ label, value: values[index] ?? 0 }));
  if (chart.kind === 'pie') {
    const segments = dataOf(first.values);
    return { blocks: [{ type: 'data_visualization', title, chart: { type: 'pie', segments } }], notes };
  }
  const [unit, axis] = [oneLine(chart.unit), oneLine(chart.axis ?? '')];
  const block: MessageBlock = {
    type: 'data_visualization',
    title,
    chart: {
      type: chart.kind,
      series: series.map(({ name, values }) => ({ name, data: dataOf(values) })),
      axis_config: {
        categories: labels,
        ...(axis !== '' && { x_label: plainLine(axis, limits.chartAxisLabel) }),
        ...(unit !== '' && { y_label: plainLine(unit, limits.chartAxisLabel) }),
      },
    },
  };
  return { blocks: [block], notes };
}

const barWidth = 16;

/** One series becomes text bars, several become columns. The earlier period is omitted. */
export function renderPlainChart(chart: Chart): RenderedChart {
  const said = [chart.unit, chart.axis ?? ''].map(oneLine).filter((part) => part !== '');
  const title = plainLine(
    said.length === 0 ? chart.title : `${chart.title} (${said.join('; ')})`,
    limits.header,
  );
  const now = { ...chart, series: chart.series.filter(({ earlier }) => !earlier) };
  const { labels, series, notes } = fitChart(chart.kind === 'pie' ? chart : now);
  const [first] = series;
  if (labels.length === 0 || !first) return { blocks: [preformatted(`${title}\nno values`)], notes: [] };
  const grid =
    series.length === 1
      ? textGrid(barRows(labels, first.values), [false, true, false])
      : textGrid(
          [
            ['', ...series.map(({ name }) => name)],
            ...labels.map((label, index) =>
              [label].concat(series.map(({ values }) => numberText(values[index] ?? 0))),
            ),
          ],
          [false, ...series.map(() => true)],
        );
  return { blocks: [preformatted(`${title}\n${grid}`)], notes };
}

function barRows(labels: readonly string[], values: readonly number[]): string[][] {
  const most = Math.max(...values.map((value) => Math.abs(value)), Number.MIN_VALUE);
  return labels.map((label, index) => {
    const value = values[index] ?? 0;
    return [label, numberText(value), '█'.repeat(Math.round((Math.abs(value) / most) * barWidth))];
  });
}

interface FittedChart {
  readonly labels: readonly string[];
  /** No gaps. The names and the labels are unique. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly notes: readonly string[];
}

type Point = readonly (number | null)[];

/**
 * Fits a chart into Slack's limits without misleading, and says in `notes` what is omitted. Neighboring points of a line, bar or area chart
 * are merged into their sum or average. Slack requires a value for every series at every label, so labels with a gap are omitted. Earlier
 * series come last.
 */
export function fitChart(chart: Chart): FittedChart {
  if (chart.kind === 'pie') return fitPie(chart);
  const current = chart.series.filter(({ earlier }) => !earlier).slice(0, limits.chartSeries);
  const charted = [...current, ...chart.series.filter(({ earlier }) => earlier)].slice(0, limits.chartSeries);
  const points = chart.labels.map((label, index) => ({
    label,
    values: charted.map((one): number | null => one.values[index] ?? null),
  }));
  const merged = chart.kind === 'bar' ? points.slice(0, limits.chartPoints) : mergedBy(chart.merge, points);
  const whole = merged.filter(({ values }) =>
    values.slice(0, current.length).every((value) => value !== null),
  );
  const labels = distinct(whole.map((point) => point.label));
  const names = distinct(charted.map(({ name, earlier }) => (earlier ? `before: ${name}` : name)));
  return {
    labels,
    series: names.flatMap((name, index) => {
      const values = whole.flatMap((point) => point.values[index] ?? []);
      return values.length < whole.length ? [] : [{ name, values }];
    }),
    notes: notesOn(chart, merged.length, whole.length),
  };
}

function notesOn(chart: Chart, merged: number, whole: number): string[] {
  const notes: string[] = [];
  if (chart.kind !== 'bar' && groupsOf(chart.labels.length).size > 1) {
    notes.push(...mergeNotes(chart));
  } else if (chart.labels.length > merged) {
    notes.push(`The chart shows the first ${merged} of ${chart.labels.length} bars.`);
  }
  const current = chart.series.filter(({ earlier }) => !earlier).length;
  if (current > limits.chartSeries) {
    notes.push(`The chart shows the first ${limits.chartSeries} of ${current} series.`);
  }
  if (whole < merged) {
    notes.push(`The chart omits points without a value: ${merged - whole} of ${merged}.`);
  }
  return notes;
}

const groupsOf = (count: number) => {
  const size = Math.ceil(count / limits.chartPoints);
  return { size, left: size > 1 ? count % size : 0 };
};

function mergeNotes({ merge, labels }: Chart): string[] {
  const { size, left } = groupsOf(labels.length);
  const stands = `Each point of the chart combines ${size} values`;
  if (merge !== 'sum')
    return [`${stands}, averaged${left === 0 ? '' : `; the first point combines ${left}`}.`];
  if (left === 0) return [`${stands}, added up.`];
  const first = left === 1 ? 'first' : `first ${left}`;
  return [
    `${stands}, added up.`,
    `The chart omits the ${first} of ${labels.length} values, because each point combines ${size}.`,
  ];
}

interface LabelledPoint {
  readonly label: string;
  readonly values: Point;
}

/** Groups are counted from the end, because a last sum of fewer points would look like a drop. */
function mergedBy(merge: Chart['merge'], points: readonly LabelledPoint[]): readonly LabelledPoint[] {
  const { size, left } = groupsOf(points.length);
  if (size <= 1) return points;
  const groups: LabelledPoint[] = [];
  const start = merge === 'sum' || left === 0 ? left : left - size;
  for (let at = start; at < points.length; at += size) {
    const group = points.slice(Math.max(0, at), at + size);
    const [first] = group;
    if (!first) break;
    groups.push({
      label: first.label,
      values: first.values.map((_, index) =>
        mergedValue(
          merge,
          group.map((point) => point.values[index] ?? null),
        ),
      ),
    });
  }
  return groups;
}

function mergedValue(merge: Chart['merge'], values: Point): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (merge === 'sum' && known.length < values.length) return null;
  if (merge === 'sum') return known.reduce((sum, value) => sum + value, 0);
  const average = known.reduce((sum, value) => sum + value / known.length, 0);
  return Number(average.toPrecision(6));
}

function distinct(labels: readonly string[]): string[] {
  const used = new Set<string>();
  return labels.map((label) => {
    let unique = plainLine(label, limits.chartLabel);
    for (let count = 2; used.has(unique); count += 1) {
      const suffix = ` (${count})`;
      unique = plainLine(label, limits.chartLabel - suffix.length) + suffix;
    }
    used.add(unique);
    return unique;
  });
}

function fitPie(chart: Chart): FittedChart {
  const values = chart.series[0]?.values ?? [];
  const all = chart.labels.map((label, index) => ({ label, value: values[index] ?? 0 }));
  const slices = all.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  const notes: string[] = [];
  if (slices.length < all.length) {
    notes.push(`The chart omits values of zero or less: ${all.length - slices.length} of ${all.length}.`);
  }
  if (chart.series.length > 1) notes.push(`The chart shows the first of ${chart.series.length} series.`);
  const tooMany = slices.length > limits.chartSegments;
  const shown = tooMany ? slices.slice(0, limits.chartSegments - 1) : slices;
  const rest = slices.slice(shown.length);
  if (tooMany) {
    notes.push(`The chart adds up the ${rest.length} smallest values.`);
    shown.push({ label: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) });
  }
  return {
    labels: distinct(shown.map(({ label }) => label)),
    series: [{ name: '', values: shown.map(({ value }) => value) }],
    notes,
  };
}
