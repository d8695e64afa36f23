import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { type Check, checksOf, runChecks } from '../../scripts/check.ts';

const packageJson = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

const node = (name: string, code: string): Check => ({
  name,
  command: `"${process.execPath}" -e '${code}'`,
});

async function outcomeOf(...checks: readonly Check[]) {
  let printed = '';
  const failed = await runChecks(checks, (text) => (printed += text));
  return { failed: failed?.name, printed };
}

it('every check of package.json is run, except for that of the image', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(packageJson));
  const names = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== 'check:image');
  expect([...new Set(checksOf(packageJson).map(({ name }) => name))].toSorted()).toEqual(names.toSorted());
});

it('each prints all that it says in one piece, and none fails', async () => {
  const slow = node('slow', 'console.log("one"); setTimeout(() => console.error("two"), 300)');
  const { failed, printed } = await outcomeOf(slow, node('quick', 'console.log("three")'));
  expect(failed).toBeUndefined();
  expect(printed).toMatch(/^\n> quick: .*\nthree\n\n> slow: .*\none\ntwo\n$/u);
});

it('after the first that fails, none begins, and none is waited for', async () => {
  const endless = node('endless', 'setInterval(() => {}, 1000)');
  const broken = node('broken', 'console.log("this is wrong"); process.exit(3)');
  const { failed, printed } = await outcomeOf(endless, broken, node('later', 'console.log("later")'));
  expect(failed).toBe('broken');
  expect(printed).toMatch(/^\n> broken: .*\nthis is wrong\n$/u);
});
