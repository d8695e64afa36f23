import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonical, chainBreak, type ChainedEntry, chainHash, genesisHash } from '../../src/model/audit.ts';

function chained(drafts: readonly string[]): readonly ChainedEntry[] {
  let previousHash = genesisHash;
  return drafts.map((draft, index) => {
    const entry = { seq: index + 1, previousHash, hash: chainHash(index + 1, previousHash, draft), draft };
    previousHash = entry.hash;
    return entry;
  });
}

function firstBreak(entries: readonly ChainedEntry[]): string | undefined {
  let before = genesisHash;
  for (const entry of entries) {
    const fault = chainBreak(before, entry);
    if (fault !== undefined) return fault;
    before = entry.hash;
  }
  return undefined;
}

describe('the chain of versions before the tree', () => {
  const whole = chained(['{"at":1}', '{"at":2}', '{"at":3}', '{"at":4}']);
  const at = (index: number): ChainedEntry => whole[index] ?? expect.fail('no such entry');

  it('is whole from the first entry on', () => {
    expect(firstBreak(whole)).toBeUndefined();
  });

  it('has the hashes that those versions wrote', () => {
    expect(at(3).hash).toMatchInlineSnapshot(
      `"b06a87a81a2472b58274d4817fc0796ad00692383410fe0494de684be8ce0d0c"`,
    );
  });

  it.each<[name: string, entries: readonly ChainedEntry[], found: string]>([
    ['an edited entry', [at(0), { ...at(1), draft: '{"at":9}' }, at(2)], 'entry 2 was edited'],
    ['an edited hash', [at(0), { ...at(1), hash: 'f'.repeat(64) }, at(2)], 'entry 2 was edited'],
    ['an edited number', [at(0), { ...at(1), seq: 7 }], 'entry 7 was edited'],
    ['a removed first entry', whole.slice(1), 'entry 2 does not follow the one before it'],
    ['a removed entry', [at(0), at(2)], 'entry 3 does not follow the one before it'],
    ['a repeated entry', [at(0), at(0)], 'entry 1 does not follow the one before it'],
  ])('betrays %s', (_, entries, found) => {
    expect(firstBreak(entries)).toBe(found);
  });
});

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
