import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  auditEntry,
  breakAt,
  canonical,
  chain,
  genesisHash,
  type AuditDraft,
  type AuditEntry,
  type AuditHead,
} from '../../../src/core/audit/audit.ts';

const genesis: AuditHead = { seq: 0, hash: genesisHash };

const drafts: readonly AuditDraft[] = [
  { at: 1, event: 'policy loaded', policyHash: 'p' },
  {
    at: 2,
    event: 'proposed',
    actor: { team: 'T0LOCAL', user: 'U0ALICE' },
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    operation: 'cloud.reboot',
    input: { instance: 'web-1', nested: { b: [1, 'two', null], a: true } },
    target: {
      kind: 'instance',
      name: 'web-1',
      key: 'instance:1/2/x',
      labels: { tier: 'web', env: 'staging' },
    },
    decision: 'confirm',
    rule: 'rule 3',
    requestId: 'r-1',
    outcome: 'proposed',
    reason: 'it “hangs” 🔥',
    policyHash: 'p',
  },
  { at: 3, event: 'confirmed', requestId: 'r-1', policyHash: 'p' },
  { at: 4, event: 'ended', requestId: 'r-1', outcome: 'succeeded', policyHash: 'p' },
];

function chained(all: readonly AuditDraft[]): AuditEntry[] {
  let head = genesis;
  return all.map((draft) => {
    const entry = chain(head, draft);
    head = entry;
    return entry;
  });
}

/** The first thing wrong with the whole record, from its beginning to the head that is known. */
function firstBreak(entries: readonly AuditEntry[], known?: AuditHead): string | undefined {
  let head = genesis;
  for (const entry of entries) {
    const broken = breakAt(head, entry);
    if (broken !== undefined) return broken;
    head = entry;
  }
  return known && (head.seq !== known.seq || head.hash !== known.hash) ? 'cut or rewritten' : undefined;
}

describe('the record', () => {
  const whole = chained(drafts);
  const at = (index: number): AuditEntry => whole[index] ?? expect.fail('no such entry');
  const head = at(3);

  it('is a chain from the first entry on, numbered without a gap', () => {
    expect(whole.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(at(0).previousHash).toBe(genesisHash);
    expect(firstBreak(whole, head)).toBeUndefined();
  });

  it('holds after it was stored as JSON and read', () => {
    const read = whole.map((entry) => auditEntry.parse(JSON.parse(canonical(entry))));
    expect(firstBreak(read, head)).toBeUndefined();
  });

  it('has the same hashes on every machine and in every version', () => {
    expect(head.hash).toMatchInlineSnapshot(
      `"c82a4771204df7ba56082b4ee5101e76bba131a42b0f8e8f1a69a0d7ee0e9b2f"`,
    );
  });

  const forged = (index: number, change: Partial<AuditEntry>) => [
    ...whole.slice(0, index),
    { ...at(index), ...change },
    ...whole.slice(index + 1),
  ];
  /** An entry that hashes right by itself, made by somebody who knows how. */
  const rehashed = (index: number, change: Partial<AuditDraft>) => {
    const { seq: _, previousHash: __, hash: ___, ...draft } = at(index);
    const entry = chain(at(index - 1), { ...draft, ...change });
    return [...whole.slice(0, index), entry, ...whole.slice(index + 1)];
  };

  it.each<[name: string, entries: readonly AuditEntry[], found: string]>([
    ['an edited outcome', forged(3, { outcome: 'failed' }), 'entry 4 was edited'],
    ['an edited actor', forged(1, { actor: { team: 'T0LOCAL', user: 'U0BOB' } }), 'entry 2 was edited'],
    ['an edited time', forged(2, { at: 30 }), 'entry 3 was edited'],
    ['an edited value deep inside', forged(1, { input: { instance: 'web-2' } }), 'entry 2 was edited'],
    ['an added member', forged(2, { note: 'by the book' }), 'entry 3 was edited'],
    ['a removed member', forged(1, { reason: undefined }), 'entry 2 was edited'],
    ['an edited hash', forged(2, { hash: 'f'.repeat(64) }), 'entry 3 was edited'],
    ['an edit with a new hash', rehashed(1, { reason: 'none' }), 'entry 3 does not follow the one before it'],
    ['a removed first entry', whole.slice(1), 'expected entry 1, found 2'],
    ['a removed entry', [at(0), at(2), at(3)], 'expected entry 2, found 3'],
    [
      'a removed entry, renumbered',
      [at(0), { ...at(2), seq: 2 }],
      'entry 2 does not follow the one before it',
    ],
    [
      'an inserted entry',
      [at(0), chain(at(0), { at: 1, event: 'read', policyHash: 'p' }), at(1)],
      'expected entry 3, found 2',
    ],
    ['a repeated entry', [at(0), at(0)], 'expected entry 2, found 1'],
    ['reordered entries', [at(0), at(2), at(1), at(3)], 'expected entry 2, found 3'],
    [
      'swapped contents',
      [at(0), { ...at(2), seq: 2, previousHash: at(1).previousHash }],
      'entry 2 was edited',
    ],
    [
      'another beginning',
      [chain({ seq: 0, hash: 'f'.repeat(64) }, { at: 1, event: 'read', policyHash: 'p' })],
      'entry 1 does not follow the one before it',
    ],
    ['a cut end', whole.slice(0, 3), 'cut or rewritten'],
    ['a rewritten end', rehashed(3, { outcome: 'failed' }), 'cut or rewritten'],
  ])('betrays %s', (_, entries, found) => {
    expect(firstBreak(entries, head)).toBe(found);
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
