import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemText, splitItems } from '../../src/text/words.ts';

describe('a list in one word', () => {
  it.each([
    ['DE', ['DE']],
    ['DE,FR , IT', ['DE', 'FR', 'IT']],
    [',DE,,', ['DE']],
    ['', []],
    ['a\\,b,c', ['a,b', 'c']],
    ['a\\\\,b', ['a\\', 'b']],
    ['C:\\new,x\\', ['C:\\new', 'x\\']],
  ])('%j holds %j', (typed, items) => {
    expect(splitItems(typed)).toEqual(items);
  });

  it('gives each item back alike', () => {
    const item = fc
      .array(fc.constantFrom(',', '\\', ' ', 'a', '"', '🔥'), { maxLength: 10 })
      .map((parts) => parts.join('').trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(item, (text) => {
        expect(splitItems(itemText(text))).toEqual([text]);
      }),
      { numRuns: 2000 },
    );
  });
});
