import { expect, it } from 'vitest';

import { runBadPayloads } from './run-bad-payloads.ts';
import { wrongIn } from './wrong-in.ts';

it('malformed or unsigned payloads do nothing to a running bot, and leave nothing in it', async () => {
  const result = await runBadPayloads({ count: 200, seed: 20_261_121 });
  expect(wrongIn(result)).toEqual([]);
  // Some could be read: they were refused further in.
  expect(result.signed['200']).toBeGreaterThan(60);
});
