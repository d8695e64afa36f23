import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';

import { declarations } from '../src/bellhop/declarations.ts';
import { type Program, readOptions, runProgram, UsageError } from '../src/program/run-program.ts';

const root = join(import.meta.dirname, '..');
const areaList = 'src/areas/index.ts';

const program: Program = {
  command: 'npm run new:operation --',
  help: `Usage: npm run new:operation -- <area>.<verb>
       npm run new:operation -- --own <file>
Scaffolds an operation, such as cloud.resize: its file, its entry in the list of its area, a test, and the generated files. The tests
pass right away; then make it do something. A new area is a new slash command.
With --own, it starts a file for your own operations, such as operations/database.ts, which needs no change to Bellhop.`,
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
      'Give one name such as cloud.resize: area.verb in lower-case letters and digits, with “-” only in the verb.',
    );
  }
  const folder = area === 'bellhop' ? 'operations/self' : `areas/${area}`;
  const index = area === 'bellhop' ? 'src/operations/index.ts' : `src/${folder}/index.ts`;
  const file = `src/${folder}/${verb}.ts`;
  const constant = camelCase(verb);
  const isNew = !existsSync(join(root, index));
  const listed = isNew ? areaText(area) : readFileSync(join(root, index), 'utf8');
  if (existsSync(join(root, file))) throw new UsageError(`${file} already exists.`);
  if (reserved.has(area))
    throw new UsageError(`“${area}” cannot be the name of an area: choose another one.`);
  if (reserved.has(constant) || new RegExp(`\\b${constant}\\b`, 'u').test(listed))
    throw new UsageError(
      `“${constant}” is taken in ${index}, or cannot be a name there: choose another verb.`,
    );
  const from = area === 'bellhop' ? './self' : '.';
  const test = `test/${folder}/${verb}.test.ts`;
  return { name, area, verb, from, file, constant, test, index, isNew, listed };
}

type Name = ReturnType<typeof readName>;

const operationText = ({
  name,
  area,
  verb,
  constant,
}: Name): string => `import { operation, z } from '../../bellhop/bellhop.ts';

export const ${constant} = operation({
  name: '${name}',
  summary: 'Say here what it does.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/${area} ${verb}'],
  run: () => Promise.resolve({}),
  report: () => ({ title: '${name}', headline: 'It does nothing yet.' }),
});
`;

const testText = ({
  name,
  area,
  verb,
}: Name): string => `import { afterAll, beforeAll, expect, test } from 'vitest';

import { reportText } from '../../operations/report-text.ts';
import { setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
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

const areaText = (area: string): string => `import type { Area } from '../../host/area.ts';

export const ${area} = { name: '${area}', calls: () => ({}), operations: [] } satisfies Area;
`;

/** Adds a constant to the end of the only list in a text, and its import. */
const withEntry = (text: string, constant: string, from: string): string =>
  text
    .replace(
      /((?:operations:|=) \[)([^\]]*?),?\s*\]/u,
      (_, start: string, others: string) => `${start}${others}${others === '' ? '' : ', '}${constant}]`,
    )
    .replace('\n\n', `\nimport { ${constant} } from '${from}';\n\n`);

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
};

const run = (file: string, ...rest: readonly string[]): Buffer =>
  execFileSync(process.execPath, [join(root, file), ...rest], { cwd: root, stdio: 'inherit' });

/** A first file of your own operations. */
const ownText = (area: string): string => `import { operation, refused, z } from 'bellhop';

export const restart = operation({
  name: '${area}.restart',
  summary: 'Say here what it does.',
  risk: 'change',
  input: z.strictObject({
    target: z.string().max(60).describe('Which one.').meta({ positional: true, target: '${area}' }),
  }),
  examples: ['/${area} restart a-name'],
  effect: (_input, { name }) => \`\${name} will be down while it restarts.\`,
  preview: async (_input, target) => [{ label: 'Sends', value: \`POST \${target.settings.url}/restart\` }],
  run: async (_input, { target, http, secret }) => {
    if (target.settings.url === undefined) throw refused('It has no address in bellhop.yaml. Nothing was done.');
    const headers = { authorization: \`Bearer \${secret('${area}')}\` };
    return http(target.settings.url, { headers }).send('POST', '/restart', { json: {} });
  },
  report: (_answer, { target }) => ({ title: \`\${target.name} was restarted\`, tone: 'good' }),
  // Read before the change and after an unknown outcome, so that people see the outcome. Remove it if there is nothing to read.
  observe: async ({ target, http }) =>
    http(target.settings.url).get('/state', z.object({ state: z.string().max(60) })),
});
`;

/** @throws UsageError */
function beginOwn(file: string, more: readonly string[]): void {
  const [, area] = /(?:^|\/)([a-z][a-z0-9]{0,20})\.ts$/u.exec(file) ?? [];
  if (area === undefined || more.length > 0)
    throw new UsageError('--own takes one file, named after its area, such as operations/database.ts.');
  if (existsSync(file)) throw new UsageError(`${file} already exists.`);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, ownText(area));
  writeFileSync(join(folder, 'bellhop.d.ts'), declarations());
  process.stdout.write(`${file}
${join(folder, 'bellhop.d.ts')}
Next: add this to bellhop.yaml, and run: npm run config -- check
  operations: [${isAbsolute(file) ? file : `./${normalize(file)}`}]
  targets: { ${area}: { a-name: { url: http://127.0.0.1:8080, labels: { env: staging } } } }
  secrets: { ${area}: { operations: [${area}.*] } }    # the value: BELLHOP_SECRET_${area.toUpperCase()}
  rules:
    - { operations: [${area}.*], roles: [anyone], then: confirm }
docs/own-operations.md continues from there.
`);
}

await runProgram(program, (args) => {
  const { values, positionals } = readOptions(args, { own: { type: 'string' } }, true);
  if (values.own !== undefined) {
    beginOwn(values.own, positionals);
    return Promise.resolve(undefined);
  }
  const name = readName(positionals);
  write(name.file, operationText(name));
  write(name.test, testText(name));
  write(name.index, withEntry(name.listed, name.constant, `${name.from}/${name.verb}.ts`));
  const lists = [name.index];
  if (name.isNew) {
    const all = readFileSync(join(root, areaList), 'utf8');
    write(areaList, withEntry(all, name.area, `./${name.area}/index.ts`));
    lists.push(areaList);
  }
  run('scripts/generate.ts');
  run('node_modules/oxfmt/bin/oxfmt', name.file, name.test, ...lists);
  process.stdout.write(
    `Next: make ${name.file} do something, and check its position in ${name.index}: help lists operations in that order. Run: npm test -- ${name.test}\n`,
  );
  return Promise.resolve(undefined);
});
