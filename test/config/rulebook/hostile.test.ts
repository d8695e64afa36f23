import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { knownOperations } from '../known-operations.ts';

const parse = (yaml: string) => parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);

describe('whatever the bytes', () => {
  it('shows at most twenty problems, and how many more there are', () => {
    const users = Array.from({ length: 50 }, (_, index) => `user${index}`).join(', ');
    const result = parse(`roles: { leads: { users: [${users}] } }`);
    expect(result.ok ? [] : findingLines(result.findings)).toHaveLength(21);
    expect(result.ok ? '' : findingLines(result.findings).at(-1)).toBe('bellhop.yaml: … and 30 more.');
  });

  it('wants UTF-8', () => {
    expect(parseRulebook(Buffer.from([0xff, 0xfe, 0x41]), 'bellhop.yaml', knownOperations)).toEqual({
      ok: false,
      findings: [{ file: 'bellhop.yaml', path: '', severity: 'error', message: 'is not UTF-8 text.' }],
    });
  });

  it('reads past a byte order mark', () => {
    expect(parse('\ufeffproject: 7\n')).toMatchObject({ ok: true, rulebook: { inventory: { project: 7 } } });
  });

  it.each<[string, string]>([
    ['keys', Array.from({ length: 70_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['aliases', `a: &a 1\nb: [${'*a,'.repeat(100_000)}]`],
    [
      'anchors and aliases',
      Array.from({ length: 20_000 }, (_, at) => `k${at}: &a${at} 1\nl${at}: *a${at}`).join('\n'),
    ],
    [
      'unknown roles',
      `rules: [{ then: deny, roles: [${Array.from({ length: 70_000 }, (_, at) => `r${at}`).join(',')}] }]`,
    ],
  ])('takes seconds at most for a file full of %s', (_, yaml) => {
    const before = process.threadCpuUsage();
    expect(parse(yaml).ok).toBe(false);
    // The CPU time of this thread: other programs do not affect it.
    expect(process.threadCpuUsage(before).user).toBeLessThan(15_000_000);
  });

  it('answers with rules or with problems, never with an exception', () => {
    const words = [
      'rules',
      'roles',
      'instances',
      ': ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ', ',
      '\n',
      '  ',
      '\n  - ',
      '&a ',
      '*a',
      '"',
    ];
    const more = [
      'then: allow',
      'id: a',
      'labels',
      '!!x ',
      '# ',
      '|',
      '0',
      'null',
      '__proto__',
      '\u0000',
      '\t',
      '? ',
      '---\n',
      '%',
    ];
    const soup = array(constantFrom(...words, ...more), { maxLength: 60 }).map((parts) => parts.join(''));
    assert(
      property(oneof(soup, string({ unit: 'binary' })), (yaml) => {
        const result = parse(yaml);
        expect(
          result.ok || findingLines(result.findings).every((line) => /^bellhop\.yaml\P{C}+$/u.test(line)),
        ).toBe(true);
        expect(result.ok || findingLines(result.findings).length > 0).toBe(true);
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 600), seed: 7 },
    );
  });
});
