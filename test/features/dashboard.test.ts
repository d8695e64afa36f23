import { expect, it } from 'vitest';

import { features } from '../../src/features/index.ts';
import type { Declare } from '../../src/host/metrics.ts';

const weather = ({ counter, gauge, moment, histogram }: Declare) => [
  counter('bellhop_weather_shown_total', ['region'], 'Cards with the weather.'),
  gauge('bellhop_weather_storms', ['region'], 'Storms now.'),
  gauge('bellhop_weather_oldest_cloud_seconds', [], 'Age of the oldest cloud.'),
  moment('bellhop_weather_asked_seconds', ['region'], 'When it was looked up.'),
  histogram('bellhop_weather_seconds', [], 'Time to ask for it.', [1]),
];

it('the dashboard shows the metrics of features in a last row', async () => {
  const [first = {}] = features;
  const { metrics } = first;
  Object.assign(first, { metrics: (declare: Declare) => [metrics?.(declare), weather(declare)] });
  // It reads the list when it is loaded.
  const { dashboard } = await import('../../scripts/dashboard.ts');
  const text = JSON.stringify(dashboard());
  const own = text.slice(text.indexOf('"title":"Features"'));
  expect(own).toContain('"title":"weather_shown"');
  expect(own).toContain('sum without (instance, pod) (rate(bellhop_weather_shown_total{job=');
  expect(own).toContain('max without (instance, pod) (bellhop_weather_storms{job=');
  expect(own).toContain('time() - max without (instance, pod) (bellhop_weather_asked_seconds{job=');
  expect(own).toMatch(/"title":"weather_oldest_cloud"[^}]*"datasource"[^]*?"unit":"s"/u);
  expect(own).toContain('histogram_quantile(0.99, sum by (le) (rate(bellhop_weather_seconds_bucket');
});
