import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { oneWords, patterns } from '../../scripts/unwanted-words.ts';
import { runNode } from '../run-node.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const tree = temporaryFolder();

const check = () => runNode(['scripts/check-words.ts', tree], root);

it('check:words finds each phrase for which there is one word', async () => {
  const phrases = oneWords.flatMap(({ not }) => not);
  expect(phrases).toEqual(expect.arrayContaining(['banner', 'waiting for your confirmation', 'clear up']));
  writeFileSync(join(tree, 'README.md'), phrases.map((phrase) => `It is ${phrase} here.\n`).join(''));
  const { out } = await check();
  for (const phrase of phrases) expect(out).toContain(`“${phrase}” is a second word for one thing`);
});

it('check:words finds the plural of a phrase', async () => {
  writeFileSync(join(tree, 'README.md'), 'The request was refused by the rules.\n');
  expect((await check()).out).toContain(
    '“refused by the rules” is a second word for one thing; write: denied',
  );
});

it.each(patterns)('check:words finds “$example”', ({ find, example }) => {
  expect(example).toMatch(find);
});

it.each([
  'README.md',
  'examples/bellhop.example.yaml',
  'Dockerfile',
  'scripts/with-node',
  'manifest.json',
  '.ci/run',
  '.github/workflows/ci.yml',
  'src/a/b.ts',
  'test/a/b.test.ts',
  'playground/test/a.test.ts',
  'playground/page/a.js',
  'bench/a/b.ts',
  'examples/a/b.ts',
  'deploy/helm/a.yaml',
])('check:words reads %s', async (file) => {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), '\nWhoever is listed may run it.\n');
  expect((await check()).out).toContain(
    `${file}:2: “Whoever” hides who acts; write: anyone who …, the person who …, or a name\n`,
  );
});

it.each([
  'There is none yet.',
  '/** Whether the request is open. */',
  'Undefined if there are none.',
  'Is there a request?',
  'The clock stands still.',
  'The id stands for a person.',
  'No one is on call: the schedule is no longer valid.',
  "Bellhop can't tell which task is its own.",
  'It says that there is nothing to do.',
])('check:words accepts “%s”', (sentence) => {
  expect(patterns.filter(({ find }) => find.test(sentence))).toEqual([]);
});
