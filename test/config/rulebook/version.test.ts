import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import { operations } from '../../../src/operations/index.ts';

const mistakes = (yaml: string): readonly string[] => {
  const result = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations);
  return result.ok ? [] : findingLines(result.findings);
};

it.each(['version: 1\n', 'version: 1 # of this file\nproject: 1\n', 'project: 1\n'])(
  'version 1 is read, or meant: %j',
  (yaml) => {
    expect(mistakes(yaml)).toEqual([]);
  },
);

it.each([
  [
    'version: 2',
    'version 2 needs a newer Bellhop than the one running, which reads version 1. Upgrade Bellhop.',
  ],
  ['version: 1.5', 'must be a whole number, not 1.5.'],
  ['version: "1"', 'must be a number, not text.'],
  ['version: one', 'must be a number, not text.'],
  ['version: 0', 'must be at least 1.'],
  ['version: -1', 'must be at least 1.'],
  ['version:', 'must be a number, not empty (remove the key, or give it a value).'],
])('%s is refused at its place', (line, message) => {
  expect(mistakes(`# mine\n${line}\n`)).toEqual([
    `bellhop.yaml:2:${line === 'version:' ? 9 : 10}: version: ${message}`,
  ]);
});

it.each(['bellhop.minimal.yaml', 'bellhop.example.yaml', 'database/bellhop.yaml'])(
  'examples/%s names its version',
  (name) => {
    expect(readFileSync(join(import.meta.dirname, '../../../examples', name), 'utf8')).toMatch(
      /^version: 1\b/mu,
    );
  },
);
