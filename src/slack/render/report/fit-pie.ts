import type { Chart } from '../../../core/model/report.ts';
import { distinct } from './fit-chart.ts';
import { limits } from '../limits.ts';

export interface FittedPie {
  readonly segments: readonly { readonly label: string; readonly value: number }[];
  readonly notes: readonly string[];
}

/** The first series of a pie within Slack's limits: the largest slices, the rest added up, said in `notes`. */
export function fitPie(chart: Chart): FittedPie {
  const values = chart.series[0]?.values ?? [];
  const all = chart.labels.map((label, index) => ({ label, value: values[index] ?? 0 }));
  const slices = all.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  const notes: string[] = [];
  if (slices.length < all.length) {
    notes.push(
      `${all.length - slices.length} of ${all.length} values are zero or less and not in the chart.`,
    );
  }
  if (chart.series.length > 1) notes.push(`The chart shows the first of ${chart.series.length} series.`);
  const tooMany = slices.length > limits.chartSegments;
  const shown = tooMany ? slices.slice(0, limits.chartSegments - 1) : slices;
  const rest = slices.slice(shown.length);
  if (tooMany) {
    notes.push(`The chart adds up the ${rest.length} smallest.`);
    shown.push({ label: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) });
  }
  const labels = distinct(shown.map(({ label }) => label));
  return {
    segments: shown.map(({ value }, index) => ({ label: labels[index] ?? '–', value })),
    notes,
  };
}
