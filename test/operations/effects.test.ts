import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { loadOperations } from '../../src/config/own/load-operations.ts';
import { operations } from '../../src/operations/index.ts';

const examples = join(import.meta.dirname, '../../examples');

test('every change that comes with Bellhop says on its card, in a sentence of its own, what it does', async () => {
  const files = readdirSync(examples)
    .map((name) => `${name}/operations/${name}.ts`)
    .filter((file) => existsSync(join(examples, file)));
  const { operations: own, mistakes } = await loadOperations({
    files,
    folder: examples,
    builtIn: operations,
    kinds: ['alertmanager', 'application', 'box', 'database', 'deployment', 'server'],
  });
  expect(mistakes).toEqual([]);
  const changes = [...operations, ...own].filter(({ risk }) => risk !== 'read');
  expect(changes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cloud.reboot', 'db.terminate', 'am.silence']),
  );
  expect(changes.filter((one) => one.effect === undefined).map(({ name }) => name)).toEqual([]);
});
