import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Pattern {
  readonly find: RegExp;
  readonly why: string;
  readonly instead: string;
}

/** Wording that readers stumble over, why, and what to write instead. */
const patterns: readonly Pattern[] = [
  { find: /\bwhoever\b/iu, why: 'hides who acts', instead: 'anyone who …, the person who …, or a name' },
  { find: /\bgoes by\b/iu, why: 'carries nothing', instead: 'uses, is named' },
  { find: /\blets? in\b/iu, why: 'carries nothing', instead: 'allows, admits' },
  { find: /\bfor good\b/iu, why: 'not clear to second-language readers', instead: 'permanently' },
  { find: /\b(?:rules|roles|those|log|inventory|state) of now\b/iu, why: 'not English', instead: 'current' },
  { find: /\bof this moment\b/iu, why: 'long for one word', instead: 'current' },
  { find: /\bis no proof of\b/iu, why: 'backwards', instead: 'does not prove' },
  { find: /\blook at it yourself\b/iu, why: 'names no target', instead: 'Check web-1.' },
  { find: /\bwhose doing\b/iu, why: 'backwards', instead: 'who did it' },
  { find: /\bif it stays so\b/iu, why: 'not English', instead: 'if it keeps failing' },
  {
    find: /\b(?:is|are|was|were|been?) told (?:so|of)\b/iu,
    why: 'told is for people who talk',
    instead: 'is notified of',
  },
  { find: /\bbroke off\b/iu, why: 'not a term of the field', instead: 'failed' },
  { find: /\bnothing waits\b/iu, why: 'not English', instead: 'no open requests' },
  { find: /\b(?:undefined|null|false|true|none|empty) where\b/iu, why: 'where is a place', instead: 'if' },
  { find: /@throws [^.]*\bwhere\b/u, why: 'where is a place', instead: 'if' },
  { find: /\bleft out[:;]/iu, why: 'not a term of the field', instead: 'default:' },
  { find: /\bgoes on\b/iu, why: 'carries nothing', instead: 'continues' },
  { find: /\bwhat (?:stands|came of)\b/iu, why: 'hides the noun', instead: 'the value, the result' },
  { find: /\b(?:is|are) said of\b/iu, why: 'backwards', instead: 'follows, says about' },
  { find: /(?<!\bthere )\bis no (?!longer\b)[a-z]/iu, why: 'backwards', instead: 'is not a' },
  { find: /\bredirect address/iu, why: 'not a term of the field', instead: 'redirect URI' },
  { find: /\bpeople of (?:an)?other\b/iu, why: 'not English', instead: 'people from' },
  {
    find: /\balso (?:after|while|during)\b/iu,
    why: 'reads as an addition',
    instead: 'even after, even while',
  },
  { find: /\bno match is\b/iu, why: 'says the opposite at first', instead: 'if none matches' },
];

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
function glossaryPattern(row: string): Pattern {
  const [, instead = '', , not = ''] = row.split('|').map((cell) => cell.trim());
  const phrases = [...not.matchAll(/`([\w ’'.]+)`/gu)].map(([, phrase = '']) =>
    phrase.replaceAll('.', String.raw`\.`),
  );
  if (phrases.length === 0) throw new Error(`docs/architecture.md: “${instead}” names no phrase to find`);
  const find = new RegExp(String.raw`\b(?:${phrases.join('|')})\b`, 'iu');
  return { find, why: 'is a second word for one thing', instead };
}

/** Parts of paths that are not checked, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'scripts/check-words.ts': 'lists the patterns',
  'docs/decisions/': 'records of their day are not rewritten',
  'playground/test/': 'titles of tests; readers of the product do not see them',
  'CHANGELOG.md': 'says what was released, in the words of its day',
};

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const glossary = glossaryRows(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
const unwanted = [...patterns, ...glossary.map(glossaryPattern)];
const covered = [
  'src/**/*.{ts,md}',
  'playground/**/*.{ts,js,html,md}',
  'docs/**/*.md',
  '*.{md,yaml}',
  'deploy/**/*',
  'scripts/*.ts',
  'bench/**/*.ts',
  'examples/**/*.{ts,md,yaml}',
];

const files = globSync(covered, { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  .filter(
    (file) => !Object.keys(allowed).some((part) => file.startsWith(part)) && !file.includes('node_modules/'),
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
