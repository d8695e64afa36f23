import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Wording that readers stumble over, why, and what to write instead. One word for one thing: the glossary of docs/architecture.md. */
const patterns: readonly { readonly find: RegExp; readonly why: string; readonly instead: string }[] = [
  { find: /\bwhoever\b/iu, why: 'hides who acts', instead: 'anyone who …, the person who …, or a name' },
  { find: /\b(?:nobody|somebody)\b/iu, why: 'hides who acts', instead: 'no one, someone, or a name' },
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
  { find: /\bhanded out\b/iu, why: 'two words for one thing', instead: 'published' },
  { find: /\bnothing waits\b/iu, why: 'not English', instead: 'no open requests' },
  { find: /\b(?:any|every)body\b/iu, why: 'two words for one thing', instead: 'anyone, everyone' },
  { find: /\b(?:undefined|null|false|true|none|empty) where\b/iu, why: 'where is a place', instead: 'if' },
  { find: /@throws [^.]*\bwhere\b/u, why: 'where is a place', instead: 'if' },
  { find: /\bleft out[:;]/iu, why: 'not a term of the field', instead: 'default:' },
  { find: /\bgoes on\b/iu, why: 'carries nothing', instead: 'continues' },
  { find: /\bwhat (?:stands|came of)\b/iu, why: 'hides the noun', instead: 'the value, the result' },
  { find: /\b(?:is|are) said of\b/iu, why: 'backwards', instead: 'follows, says about' },
  { find: /(?<!\bthere )\bis no (?!longer\b)[a-z]/iu, why: 'backwards', instead: 'is not a' },
  { find: /\bgiven back\b/iu, why: 'two words for one thing', instead: 'returned' },
  {
    find: /\bturned away\b|\bcontrol panel\b/iu,
    why: 'two words for one thing',
    instead: 'see the glossary',
  },
];

/** Parts of paths that are not checked, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'scripts/check-words.ts': 'lists the patterns',
  'docs/decisions/': 'records of their day are not rewritten',
  'playground/test/': 'titles of tests; readers of the product do not see them',
  'CHANGELOG.md': 'says what was released, in the words of its day',
};

const root = join(import.meta.dirname, '..');
const covered = [
  'src/**/*.{ts,md}',
  'playground/**/*.{ts,js,html,md}',
  'docs/**/*.md',
  '*.{md,yaml}',
  'deploy/**/*',
  'scripts/*.ts',
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
      patterns.flatMap(({ find, why, instead }) => {
        const [found] = find.exec(line) ?? [];
        return found === undefined ? [] : [`${file}:${index + 1}: “${found}” ${why}; write: ${instead}`];
      }),
    ),
);

process.stdout.write(findings.map((finding) => `${finding}\n`).join(''));
process.exitCode = findings.length === 0 ? 0 : 1;
