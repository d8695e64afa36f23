import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { variables } from '../../../src/config/environment/variables.ts';

const folder = join(import.meta.dirname, '../../../src/config/environment');

it('lists every variable that is read, for the documents', () => {
  const texts = globSync('*.ts', { cwd: folder })
    .filter((file) => file !== 'variables.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const named = texts.join('\n').match(/\b(?:[A-Z]+(?:_[A-Z]+)+|HOST|PORT)\b/gu) ?? [];
  // A secret of any name is read, which the comments show by one.
  const read = new Set(named.filter((name) => !name.startsWith('BELLHOP_SECRET_')));
  const listed = Object.keys(variables).filter((name) => !name.includes('<'));
  expect([...read].toSorted()).toEqual(listed.toSorted());
});
