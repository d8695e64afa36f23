import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

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

it('check:words says which row of the glossary names no phrase', async () => {
  writeFileSync(join(tree, page), 'One word for one thing.\n\n| notice | a reply in a thread | banner |\n');
  expect((await check()).err).toContain('“notice” names no phrase to find');
});
