import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonical } from '../../src/model/records/audit.ts';

describe('canonical JSON', () => {
  it.each<[value: unknown, text: string]>([
    [{ b: 1, a: { d: [1, { f: 2, e: 3 }], c: null } }, '{"a":{"c":null,"d":[1,{"e":3,"f":2}]},"b":1}'],
    [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['“🔥”\n', '"“🔥”\\n"'],
    [{ a10: 1, a9: 2, B: 3, é: 4 }, '{"B":3,"a10":1,"a9":2,"é":4}'],
    [[-0, 1e21, 0.1], '[0,1e+21,0.1]'],
    [true, 'true'],
    [undefined, 'null'],
  ])('of %j is %s', (value, text) => {
    expect(canonical(value)).toBe(text);
  });

  it('is JSON that reads back alike, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonical(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonical(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (members) => {
        const turned = Object.fromEntries(Object.entries(members).toReversed());
        expect(canonical(turned)).toBe(canonical(members));
      }),
    );
  });
});
