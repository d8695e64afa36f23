import { expect, it } from 'vitest';

import { endpoints } from '../../../../service/endpoints/index.ts';
import { faultTargets } from '../../../../workspace/page/drills/drill-facts.js';

it('offers faults for endpoints that the service has, each once', () => {
  const names = new Set(['all', ...endpoints.map(({ name }) => name)]);
  const offered = faultTargets.map(({ endpoint }) => endpoint);
  expect(offered.filter((endpoint) => !names.has(endpoint))).toEqual([]);
  expect(new Set(offered).size).toBe(offered.length);
});
