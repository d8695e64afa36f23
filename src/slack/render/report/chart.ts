import type { Chart } from '../../../model/report.ts';
import { type MessageBlock, preformatted } from '../blocks.ts';
import { oneLine, plainLine } from '../text.ts';
import { fitChart, fitPie } from './fit-chart.ts';
import { limits } from '../limits.ts';
import { numberText, textGrid } from './table.ts';

/** The blocks of one chart, and what they do not show. */
export interface RenderedChart {
  readonly blocks: readonly MessageBlock[];
  readonly notes: readonly string[];
}

/** A chart that Slack draws itself; as text where nothing of it can be drawn. */
export function renderChart(chart: Chart): RenderedChart {
  const title = plainLine(chart.title, limits.chartTitle);
  if (chart.kind === 'pie') {
    const { segments, notes } = fitPie(chart);
    if (segments.length === 0) return renderPlainChart(chart);
    return { blocks: [{ type: 'data_visualization', title, chart: { type: 'pie', segments } }], notes };
  }
  const { labels, series, notes } = fitChart(chart);
  if (labels.length === 0 || series.length === 0) return renderPlainChart(chart);
  const unit = oneLine(chart.unit);
  const block: MessageBlock = {
    type: 'data_visualization',
    title,
    chart: {
      type: chart.kind,
      series: series.map(({ name, values }) => ({
        name,
        data: labels.map((label, index) => ({ label, value: values[index] ?? 0 })),
      })),
      axis_config: {
        categories: labels,
        ...(unit !== '' && { y_label: plainLine(unit, limits.chartAxisLabel) }),
      },
    },
  };
  return { blocks: [block], notes };
}

const barWidth = 16;

/** The same numbers in plain blocks: one series as bars of text, several side by side. No earlier ones. */
export function renderPlainChart(chart: Chart): RenderedChart {
  const unit = oneLine(chart.unit);
  const title = plainLine(unit === '' ? chart.title : `${chart.title} (${unit})`, limits.header);
  const now = { ...chart, series: chart.series.filter(({ earlier }) => !earlier) };
  const fitted = chart.kind === 'pie' ? asSeries(fitPie(chart)) : fitChart(now);
  if (fitted.labels.length === 0 || fitted.series.length === 0) {
    return { blocks: [preformatted(`${title}\nno values`)], notes: [] };
  }
  const { series } = fitted;
  const [first] = series;
  const grid =
    series.length === 1 && first
      ? textGrid(barRows(fitted.labels, first.values), [false, true, false])
      : textGrid(
          [
            ['', ...series.map(({ name }) => name)],
            ...fitted.labels.map((label, index) => [
              label,
              ...series.map(({ values }) => numberText(values[index] ?? 0)),
            ]),
          ],
          [false, ...series.map(() => true)],
        );
  return { blocks: [preformatted(`${title}\n${grid}`)], notes: fitted.notes };
}

const asSeries = ({ segments, notes }: ReturnType<typeof fitPie>): ReturnType<typeof fitChart> => ({
  labels: segments.map(({ label }) => label),
  series: [{ name: '', values: segments.map(({ value }) => value) }],
  notes,
});

function barRows(labels: readonly string[], values: readonly number[]): string[][] {
  const most = Math.max(...values.map((value) => Math.abs(value)), Number.MIN_VALUE);
  return labels.map((label, index) => {
    const value = values[index] ?? 0;
    return [label, numberText(value), '█'.repeat(Math.round((Math.abs(value) / most) * barWidth))];
  });
}
