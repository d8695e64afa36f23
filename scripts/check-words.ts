import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { oneWords, type Pattern, patterns } from './unwanted-words.ts';

function oneWordPattern({ write, meaning, not }: (typeof oneWords)[number]): Omit<Pattern, 'example'> {
  const phrases = not.map((phrase) => RegExp.escape(phrase));
  const find = new RegExp(String.raw`\b(?:${phrases.join('|')})s?\b`, 'iu');
  return { find, why: 'is a second word for one thing', instead: `${write} (${meaning})` };
}

/** Parts of paths that are not checked, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'scripts/unwanted-words.ts': 'lists the patterns',
  'test/scripts/check-words.test.ts': 'quotes the patterns',
};

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const unwanted = [...patterns, ...oneWords.map(oneWordPattern)];
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
        const [found] = find.exec(line) ?? [];
        return found === undefined ? [] : [`${file}:${index + 1}: “${found}” ${why}; write: ${instead}`];
      }),
    ),
);

process.stdout.write(findings.map((finding) => `${finding}\n`).join(''));
process.exitCode = findings.length === 0 ? 0 : 1;
