import { join } from 'node:path';

import { expect, it } from 'vitest';

import { runNode } from '../run-node.ts';

const root = join(import.meta.dirname, '../..');

it('vitest says in one line what to do where Node is too old', async () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
    Object.defineProperty(process, 'version', { value: 'v20.19.0' });`;
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, vitest, 'run', 'csv.test.ts'];
  const { code, err } = await runNode(args, root);
  expect(code).toBe(1);
  expect(err).toMatch(/^The tests need Node 24 or newer and found v20\.19\.0: run "npm test [^\n]*\n$/u);
});
