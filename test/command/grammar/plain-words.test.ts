import { expect, it } from 'vitest';
import { z } from 'zod';

import { operation } from '../../../src/bellhop/bellhop.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { readInput } from '../../../src/command/grammar/check-input.ts';

const checks = operation({
  name: 'shop.check',
  summary: 'Checks values.',
  risk: 'read',
  input: z.strictObject({
    names: z.array(z.string()).min(1).max(2).default(['a']).describe('Names.'),
    code: z.string().min(3).max(5).optional().describe('A code.'),
    count: z.number().int().min(1).max(9).optional().describe('A count.'),
    rate: z.number().gt(0).lt(1).optional().describe('A rate.'),
    step: z.number().multipleOf(5).optional().describe('A step.'),
    by: z.enum(['cname', 'resource']).optional().describe('By.'),
    mail: z.email().optional().describe('An address.'),
    key: z.string().regex(/^k-/u).optional().describe('A key.'),
    own: z.string().min(3, 'is not long enough').optional().describe('With its own message.'),
  }),
  examples: ['/shop check'],
  run: () => Promise.resolve({}),
  report: () => ({ title: 'checked' }),
});

const [entry] = createRegistry([checks], []).entries;

it.each([
  [{ names: [] }, '--names needs at least one value.'],
  [{ names: ['a', 'b', 'c'] }, '--names takes at most 2 values.'],
  [{ names: 'a' }, '--names must be a list.'],
  [{ code: 'a' }, '--code needs at least 3 characters.'],
  [{ code: 'abcdef' }, '--code takes at most 5 characters.'],
  [{ code: 1 }, '--code must be text.'],
  [{ count: 0 }, '--count must be at least 1.'],
  [{ count: 10 }, '--count must be at most 9.'],
  [{ count: 1.5 }, '--count must be a whole number.'],
  [{ count: 'many' }, '--count must be a number.'],
  [{ rate: 0 }, '--rate must be more than 0.'],
  [{ rate: 1 }, '--rate must be less than 1.'],
  [{ step: 7 }, '--step must be a multiple of 5.'],
  [{ by: 'day' }, '--by must be one of cname, resource.'],
  [{ mail: 'alice' }, '--mail must be an e-mail address.'],
  [{ key: 'x' }, '--key has the wrong format.'],
  [{ own: 'x' }, '--own is not long enough.'],
])('%j of an operation without messages: %s', (values, says) => {
  if (!entry) throw new Error('no entry');
  expect(() => readInput(entry, values)).toThrow(says);
});
