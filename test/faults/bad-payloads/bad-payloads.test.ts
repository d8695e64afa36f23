import { expect, it } from 'vitest';

import { runBadPayloads } from './run-bad-payloads.ts';
import { wrongIn } from './wrong-in.ts';

it('malformed or unsigned payloads do nothing to a running bot, and leave nothing in it', async () => {
  const result = await runBadPayloads({ count: 200, seed: 20_261_121 });
  expect(wrongIn(result)).toEqual([]);
  // Payloads that could be read are answered 200, and refused later.
  expect(result.signed['200']).toBeGreaterThan(60);
});
