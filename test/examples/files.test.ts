import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { callProgram } from '../call-program.ts';

const examples = join(import.meta.dirname, '../../examples');
const read = (...path: string[]): string => readFileSync(join(examples, ...path), 'utf8');
const linesOf = (text: string): number => text.trimEnd().split('\n').length;

const folders = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'bellhop.yaml')));

describe.each(folders)('examples/%s', (folder) => {
  const readme = read(folder, 'README.md');
  const files = readdirSync(join(examples, folder, 'operations')).map((file) =>
    read(folder, 'operations', file),
  );

  it('is accepted by config -- check', async () => {
    const { out, code } = await callProgram('config', ['check', join(examples, folder, 'bellhop.yaml')]);
    expect([code, out]).toEqual([0, expect.stringMatching(/is good\.\s*$/u)]);
  });

  it('has a README that says first against what it was run, its start, and every command', () => {
    expect(linesOf(readme)).toBeLessThanOrEqual(70);
    expect(readme).toContain(`BELLHOP_CONFIG=examples/${folder}/bellhop.yaml npm start`);
    const names = [...files.join('\n').matchAll(/\bname: '([a-z0-9]+)\.([a-z-]+)'/gu)];
    expect(names.length).toBeGreaterThan(2);
    expect(readme.split('\n').slice(0, 10).join(' ')).toMatch(/Tested with .* Not tested with /u);
    for (const [, area, verb] of names) expect(readme).toMatch(new RegExp(`\`/${area} ${verb}[ \`]`, 'u'));
  });
});

it.each(folders.filter((folder) => folder !== 'database'))(
  'examples/%s has files of at most 200 lines',
  (folder) => {
    for (const file of readdirSync(join(examples, folder, 'operations')))
      expect(linesOf(read(folder, 'operations', file))).toBeLessThanOrEqual(200);
  },
);
