import { join } from 'node:path';

import { expect, test } from 'vitest';

import { loadOperations } from '../../src/config/own/load-operations.ts';
import { operations } from '../../src/operations/index.ts';

const example = join(import.meta.dirname, '../../examples/database/operations');

test('every change that comes with Bellhop says on its card, in a sentence of its own, what it does', async () => {
  const { operations: own, mistakes } = await loadOperations({
    files: ['database.ts'],
    folder: example,
    builtIn: operations,
    kinds: ['database'],
  });
  expect(mistakes).toEqual([]);
  const changes = [...operations, ...own].filter(({ risk }) => risk !== 'read');
  expect(changes.map(({ name }) => name)).toEqual(expect.arrayContaining(['cloud.reboot', 'db.terminate']));
  expect(changes.filter((one) => one.effect === undefined).map(({ name }) => name)).toEqual([]);
});
