import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { patterns } from '../../scripts/unwanted-words.ts';
import { runNode } from '../run-node.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = 'docs/architecture.md';
const tree = temporaryFolder();

const check = () => runNode(['scripts/check-words.ts', tree], root);

it('check:words finds each phrase that the glossary replaces by its one word', async () => {
  cpSync(join(root, page), join(tree, page));
  const [, table = ''] = readFileSync(join(root, page), 'utf8').split('One word for one thing.');
  const [rows = ''] = table.split('\n## ', 1);
  const phrases = [...rows.matchAll(/\| (?!.*\|.*\|)(.*) \|$/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, phrase = '']) => phrase),
  );
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

it('check:words says which row of the glossary names no phrase', async () => {
  writeFileSync(join(tree, page), 'One word for one thing.\n\n| notice | a reply in a thread | banner |\n');
  expect((await check()).err).toContain('“notice” names no phrase to find');
});
