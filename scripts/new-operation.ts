import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type Program, readOptions, runProgram, UsageError } from '../src/program/run-program.ts';

const root = join(import.meta.dirname, '..');
const index = 'src/operations/index.ts';

/** What the operations of an area act on as a whole, by its name in `src/command/targets.ts`. */
const targets: Readonly<Record<string, string>> = {
  cdn: 'cdnAccount',
  storage: 'storageAccount',
};
const targetOf = (area: string): string => targets[area] ?? 'bellhopTarget';

const program: Program = {
  command: 'npm run new:operation --',
  help: `Usage: npm run new:operation -- <area>.<verb>
Begins an operation, such as cloud.resize: its file, its line in ${index}, a test, and what is generated from it. All of it
is green at once; then make it do something. A new area is a new slash command.`,
};

/** `raw-logs` → `rawLogs`. */
const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** Words that cannot be the name of a constant. */
const reserved = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null operations package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/** @throws UsageError */
function readName(words: readonly string[]) {
  const [name = '', ...more] = words;
  const [, area, verb] = /^([a-z][a-z0-9]{0,20})\.([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/u.exec(name) ?? [];
  if (area === undefined || verb === undefined || verb.length > 30 || more.length > 0) {
    throw new UsageError(
      'Give one name of the form area.verb, small letters, digits and “-” in the verb, such as cloud.resize.',
    );
  }
  const file = `src/operations/${area}/${verb}.ts`;
  const constant = camelCase(verb);
  const listed = readFileSync(join(root, index), 'utf8');
  if (existsSync(join(root, file))) throw new UsageError(`${file} is there already.`);
  if (reserved.has(constant) || new RegExp(`\\b${constant}\\b`, 'u').test(listed))
    throw new UsageError(
      `“${constant}” is taken in ${index}, or cannot be a name there: choose another verb.`,
    );
  return { name, area, verb, file, constant, test: `test/operations/${area}/${verb}.test.ts`, listed };
}

type Name = ReturnType<typeof readName>;

const operationText = ({ name, area, verb, constant }: Name): string => `import { z } from 'zod';

import { operation } from '../../model/operation.ts';
import { ${targetOf(area)} } from '../parts/targets.ts';

export const ${constant} = operation({
  name: '${name}',
  summary: 'Say here what it does.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/${area} ${verb}'],
  target: () => ${targetOf(area)},
  run: () => Promise.resolve({}),
  report: () => ({ title: '${name}', headline: 'It does nothing yet.' }),
});
`;

const testText = ({
  name,
  area,
  verb,
}: Name): string => `import { afterAll, beforeAll, expect, test } from 'vitest';

import { reportText } from '../report-text.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

test('answers', async () => {
  expect(reportText(await stage.report('/${area} ${verb}'))).toMatchInlineSnapshot(\`
    "# ${name}
    It does nothing yet."
  \`);
});
`;

/** Listed behind the others of its area, a new area last: the order of the list is the order of help. */
function withLine({ listed, area, verb, constant }: Name): string {
  const imports = [...listed.matchAll(new RegExp(`^import \\{ (\\w+) \\} from '\\./${area}/.*$`, 'gmu'))];
  const names = new Set(imports.map(([, sibling = '']) => sibling));
  const lines = listed.split('\n');
  const from = lines.indexOf(imports.at(-1)?.[0] ?? '');
  const to = lines.findLastIndex((line) => names.has(/^ {2}(\w+),$/u.exec(line)?.[1] ?? ''));
  const end = lines.indexOf('];');
  return lines
    .toSpliced(to < 0 ? end : to + 1, 0, `  ${constant},`)
    .toSpliced(
      from < 0 ? lines.indexOf('') : from + 1,
      0,
      `import { ${constant} } from './${area}/${verb}.ts';`,
    )
    .join('\n');
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
};

const run = (file: string, ...rest: readonly string[]): Buffer =>
  execFileSync(process.execPath, [join(root, file), ...rest], { cwd: root, stdio: 'inherit' });

await runProgram(program, (args) => {
  const name = readName(readOptions(args, {}, true).positionals);
  write(name.file, operationText(name));
  write(name.test, testText(name));
  write(index, withLine(name));
  run('scripts/generate.ts');
  run('node_modules/oxfmt/bin/oxfmt', name.file, name.test, index);
  process.stdout.write(
    `Next: make ${name.file} do something, and see its place in ${index}, which is its place in help. Run: npm test -- ${name.test}\n`,
  );
  return Promise.resolve(undefined);
});
