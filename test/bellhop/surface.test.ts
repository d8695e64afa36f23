import { expect, it } from 'vitest';

import type * as declared from 'bellhop';

import * as module from '../../src/bellhop/bellhop.ts';

it('the surface is what the types say, and nothing else', () => {
  // Checked by the compiler: whatever these take and give, the module takes and gives.
  const surface: typeof declared = module;
  expect(Object.keys(surface).toSorted()).toEqual(['notSent', 'operation', 'refused', 'z']);
});
