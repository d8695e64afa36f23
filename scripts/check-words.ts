import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Pattern, patterns } from './unwanted-words.ts';

/**
 * The rows of the glossary's second table: what to write, for what, and the phrases not to write. @throws Error if
 * there are none
 */
function glossaryRows(page: string): readonly string[] {
  const [, table = ''] = page.split('One word for one thing.');
  const rows = table.split('\n## ', 1)[0]?.match(/^\| (?!Write |-).+$/gmu) ?? [];
  if (rows.length === 0) throw new Error('docs/architecture.md has no table below “One word for one thing.”');
  return rows;
}

/** @throws Error for a row that names no phrase */
function glossaryPattern(row: string): Omit<Pattern, 'example'> {
  const [, instead = '', , not = ''] = row.split('|').map((cell) => cell.trim());
  const phrases = [...not.matchAll(/`([\w ’'.]+)`/gu)].map(([, phrase = '']) =>
    phrase.replaceAll('.', String.raw`\.`),
  );
  if (phrases.length === 0) throw new Error(`docs/architecture.md: “${instead}” names no phrase to find`);
  const find = new RegExp(String.raw`\b(?:${phrases.join('|')})s?\b`, 'iu');
  return { find, why: 'is a second word for one thing', instead };
}

/** Parts of paths that are not checked, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'scripts/unwanted-words.ts': 'lists the patterns',
  'test/scripts/check-words.test.ts': 'quotes the patterns',
};

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const glossary = glossaryRows(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
const unwanted = [...patterns, ...glossary.map(glossaryPattern)];
const covered = [
  'src/**/*.{ts,js,md}',
  'playground/**/*.{ts,js,html,md}',
  'test/**/*.{ts,js,md}',
  'docs/**/*.md',
  '*.{md,yaml}',
  'manifest.json',
  'Dockerfile',
  '.ci/run',
  '.github/**/*.yml',
  'deploy/**/*',
  'scripts/*.ts',
  'scripts/with-node',
  'bench/**/*.{ts,js,md}',
  'examples/**/*.{ts,md,yaml}',
];

const files = globSync(covered, { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  .filter(
    (file) =>
      !Object.keys(allowed).some((part) => file.startsWith(part)) &&
      !/(?:^|\/)(?:node_modules|dist)\//u.test(file),
  );

const findings = files.toSorted().flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      unwanted.flatMap(({ find, why, instead }) => {
        const [found] = glossary.includes(line) ? [] : (find.exec(line) ?? []);
        return found === undefined ? [] : [`${file}:${index + 1}: “${found}” ${why}; write: ${instead}`];
      }),
    ),
);

process.stdout.write(findings.map((finding) => `${finding}\n`).join(''));
process.exitCode = findings.length === 0 ? 0 : 1;
