import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { allVariables } from '../../../src/config/environment/variables.ts';

const root = join(import.meta.dirname, '../../..');

it('no variable is read that the table does not list', () => {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const named =
    /(?<=process\.env(?:\.|\[['"`]))\w+|(?<=\{[^{}]*)\b[A-Z]+(?:_[A-Z]+)*\b(?=[^{}]*\} = process\.env)/gu;
  const reads = texts.flatMap((text) => text.match(named) ?? []);
  expect(reads).toContain('DATABASE_URL');
  expect(reads.filter((name) => !Object.hasOwn(allVariables.shape, name))).toEqual([]);
});
