import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { blockIdSchema } from './composition.ts';

const label = z.string().min(1).max(LIMITS.chartLabel);
const axisLabel = z.string().min(1).max(LIMITS.chartAxisLabel).exactOptional();

/** Series of a line, bar or area chart: one point for every category, in the same labels, names unique. */
function plotted(type: 'line' | 'bar' | 'area') {
  return z
    .strictObject({
      type: z.literal(type),
      series: z
        .array(
          z.strictObject({
            name: label,
            data: z
              .array(z.strictObject({ label, value: z.number() }))
              .min(1)
              .max(LIMITS.chartPoints),
          }),
        )
        .min(1)
        .max(LIMITS.chartSeries),
      axis_config: z.strictObject({
        categories: z.array(label).min(1).max(LIMITS.chartPoints),
        x_label: axisLabel,
        y_label: axisLabel,
      }),
    })
    .superRefine((chart, issues) => {
      const { categories } = chart.axis_config;
      if (new Set(categories).size !== categories.length)
        issues.addIssue({ code: 'custom', path: ['axis_config', 'categories'], message: 'must be unique' });
      if (new Set(chart.series.map(({ name }) => name)).size !== chart.series.length)
        issues.addIssue({ code: 'custom', path: ['series'], message: 'must have unique names' });
      chart.series.forEach(({ data }, index) => {
        const labels = new Set(data.map((point) => point.label));
        if (data.length !== categories.length || !categories.every((category) => labels.has(category)))
          issues.addIssue({
            code: 'custom',
            path: ['series', index, 'data'],
            message: 'must have one point for every category',
          });
      });
    });
}

/**
 * A data_visualization block. Not in @slack/types 3.2; source:
 * docs.slack.dev/reference/block-kit/blocks/data-visualization-block.
 */
export const dataVisualizationSchema = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockIdSchema,
  title: z.string().min(1).max(LIMITS.chartTitle),
  chart: z.discriminatedUnion('type', [
    plotted('line'),
    plotted('bar'),
    plotted('area'),
    z.strictObject({
      type: z.literal('pie'),
      segments: z
        .array(z.strictObject({ label, value: z.number().positive() }))
        .min(1)
        .max(LIMITS.chartSegments),
    }),
  ]),
});
