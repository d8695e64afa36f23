import { expect, test } from 'vitest';

import { chartConfiguration } from '../../../../workspace/page/blocks/chart-configuration.js';

test('the line of the period before is thin, in the colour of the same metric', () => {
  const series = ['4xx', '5xx', 'before: 5xx'].map((name) => ({ name, data: [{ label: 'a', value: 1 }] }));
  const { data } = chartConfiguration(
    { type: 'line', series, axis_config: { categories: ['a'] } },
    { getPropertyValue: (name) => name },
  );
  expect(data.datasets).toMatchObject([
    { borderColor: '--chart-1', borderWidth: 2 },
    { borderColor: '--chart-2', borderWidth: 2 },
    { borderColor: '--chart-2', borderWidth: 1 },
  ]);
});
