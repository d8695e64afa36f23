import { expect, it } from 'vitest';

import { endpoints } from '../../../../playground/service/endpoints/index.ts';
import { faultTargets } from '../../../../playground/workspace/page/drills/drill-facts.js';

it('offers every endpoint of the service to put a fault on', () => {
  const offered = faultTargets.map(({ endpoint }) => endpoint);
  expect(offered.toSorted()).toEqual(['all', ...endpoints.map(({ name }) => name)].toSorted());
});
