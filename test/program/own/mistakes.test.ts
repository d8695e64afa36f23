import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { runNode, runProgram } from '../../run-node.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startProblems, startProcess } from '../bot-process.ts';

const good = (name: string): string =>
  `operation({ name: '${name}', summary: 'Does it.', risk: 'change', input: z.strictObject({}), run: async () => {} })`;
const from = "import { operation, z } from 'bellhop';\n";

/** A mistake in a file, and the one line that reports it. */
const mistakes: readonly (readonly [what: string, text: string | undefined, line: RegExp])[] = [
  [
    'that is missing',
    undefined,
    /^bellhop\.yaml:\d+:\d+: operations\[0\]: \.\/operations\/own\.ts does not exist: give/u,
  ],
  [
    'with a syntax error',
    `${from}export const a = ;\n`,
    /^operations\/own\.ts:2:1: is not valid TypeScript: /u,
  ],
  [
    'with an enum',
    `${from}export enum A { B }\n`,
    /^operations\/own\.ts:2:1: .*enum.*: Node only strips types/u,
  ],
  [
    'that throws',
    `${from}throw new Error('no luck');\n`,
    /^operations\/own\.ts:2:1: throws while loading: no luck\. /u,
  ],
  [
    'that never loads',
    `${from}await new Promise(() => {});\n`,
    /^operations\/own\.ts takes longer than 5 s to load: /u,
  ],
  ['that exits', `${from}process.exit(0);\n`, /^operations\/own\.ts exits with code 0 while loading\. /u],
  // The loop waits instead of computing, because three loops would use 15 s of CPU.
  [
    'that loops',
    `${from}for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);\n`,
    /^operations\/own\.ts takes longer than 5 s to load: /u,
  ],
  [
    'that rejects',
    `${from}Promise.reject(new Error('no luck either'));\n`,
    /^operations\/own\.ts:2:1: throws while loading: no luck either\. /u,
  ],
  [
    'that changes every object',
    `${from}Object.prototype.x = 1;\n`,
    /^operations\/own\.ts:2:1: throws while loading: Cannot add property x, /u,
  ],
  [
    'that imports what is not there',
    "import 'left-pad';\n",
    /^operations\/own\.ts.* has an import that can't be resolved: /u,
  ],
  ['without an operation', `${from}export const a = 1;\n`, /^operations\/own\.ts exports no operation: /u],
  [
    'with a default export that is not an operation',
    `${from}export const a = ${good('db.a')};\nexport default {};\n`,
    /^operations\/own\.ts default: is not an operation: /u,
  ],
  [
    'with a misspelt member',
    `${from}export const a = ${good('dns.a').replace('risk:', 'obseve: async () => ({}), risk:')};\n`,
    /^operations\/own\.ts a\.obseve: is not a key of operation\(\{ … \}\)\. Did you mean “observe”\? /u,
  ],
  [
    'with a misspelt word about a field',
    `${from}export const a = ${good('ldap.a').replace('{}', "{ pid: z.int().max(9).describe('Pid.').meta({ positonal: true }).optional() }")};\n`,
    /^operations\/own\.ts a\.input\.pid\.meta: “positonal” is not a key of \.meta\(\{ … \}\)\. Did you mean “positional”\? Correct or remove it\.$/u,
  ],
  [
    'with a name that its examples do not begin with',
    `${from}export const a = ${good('Db.a').replace('risk:', "examples: ['/db a'], risk:")};\n`,
    /^operations\/own\.ts a\.name: “Db\.a” must be area\.verb/u,
  ],
  [
    'with a name of Bellhop',
    `${from}export const a = ${good('cloud.reboot')};\n`,
    /^operations\/own\.ts a\.name: “cloud\.reboot”: the area “cloud” already belongs to Bellhop itself/u,
  ],
  [
    'with an area of Bellhop',
    `${from}export const a = ${good('storage.wipe')};\n`,
    /^operations\/own\.ts a\.name: “storage\.wipe”: the area “storage” already belongs/u,
  ],
  [
    'with a name twice',
    `${from}export const a = ${good('mail.a')};\nexport const b = ${good('mail.a')};\n`,
    /^operations\/own\.ts b\.name: “mail\.a” is the name of another operation of this file/u,
  ],
  [
    'with a name other than area.verb',
    `${from}export const a = ${good('database')};\n`,
    /^operations\/own\.ts a\.name: “database” must be area\.verb/u,
  ],
  [
    'with an unknown risk',
    `${from}export const a = ${good('queue.a').replace("'change'", "'chnage'")};\n`,
    /^operations\/own\.ts a\.risk: “chnage” must be read, change, destructive\. Did you mean “change”\?/u,
  ],
  [
    'without run',
    `${from}export const a = ${good('cache.a').replace('run: async () => {}', '')};\n`,
    /^operations\/own\.ts a\.run: is missing\. Add run: /u,
  ],
  [
    'with a field without description',
    `${from}export const a = ${good('finder.a').replace('{}', '{ pid: z.int() }')};\n`,
    /^operations\/own\.ts a\.input\.pid: has no description: /u,
  ],
  [
    'with a field without bound',
    `${from}export const a = ${good('wiki.a').replace('{}', "{ why: z.string().describe('Why.') }")};\n`,
    /^operations\/own\.ts a\.input\.why: is unbounded: /u,
  ],
  [
    'with a kind of target that is not there',
    `${from}export const a = ${good('pager.a').replace('{}', "{ to: z.string().max(9).describe('Which.').meta({ target: 'databse' }) }")};\n`,
    /^operations\/own\.ts a\.input\.to: names a target of the kind “databse”, which “targets” in bellhop\.yaml does not have\. Did you mean “database”\?/u,
  ],
];

const printed = z.object({
  features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
});

const yaml = `operations: [./operations/own.ts]
targets: { database: { orders: { labels: { env: staging } } } }
rules:
  - { operations: [db.*], roles: [anyone], then: confirm }
`;

function folderWith(files: Readonly<Record<string, string | undefined>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries({ 'bellhop.yaml': yaml, ...files })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function check(cwd: string, args: readonly string[] = ['check']) {
  const { code, out, err } = await runProgram('config', args, {}, cwd);
  return { code, lines: `${out}${err}`.replaceAll(cwd, 'here').trim().split('\n') };
}

/** A bot that does not start in this folder. */
async function start(cwd: string) {
  const env = { DATA_DIR: join(cwd, 'data'), PORT: '0', LOCAL_PORT: '0', LOCAL_SERVICE_PORT: '0' };
  const bot = await startProcess(env, { cwd });
  return {
    code: await bot.exited,
    problems: startProblems(bot).map((line) => line.replaceAll(cwd, 'here')),
  };
}

/** The file of a mistake, one for each. */
const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.ts`;

const yamlOf = (some: typeof mistakes): string =>
  yaml.replace('./operations/own.ts', some.map(([what]) => `./operations/${fileOf(what)}`).join(', '));

describe('a file of operations', () => {
  let checked: Awaited<ReturnType<typeof check>>;
  const startCodes = new Set<unknown>();
  const refusal: string[] = [];
  // Many mistakes at once, each in a file of its own: three processes instead of two for each mistake.
  beforeAll(async () => {
    const folderOf = (some: typeof mistakes) =>
      folderWith({
        'bellhop.yaml': yamlOf(some),
        ...Object.fromEntries(some.map(([what, text]) => [`operations/${fileOf(what)}`, text])),
      });
    // A start lists only the first 20.
    const parts = [mistakes.slice(0, 15), mistakes.slice(15)];
    const [said, ...refused] = await Promise.all([
      check(folderOf(mistakes)),
      ...parts.map((some) => start(folderOf(some))),
    ]);
    checked = said;
    for (const { code, problems } of refused) {
      startCodes.add(code);
      refusal.push(...problems);
    }
  });

  it.each(mistakes)('%s is refused in one line, by the check and by the start', (what, _, line) => {
    const file = fileOf(what);
    const about = (lines: readonly string[]): readonly string[] =>
      lines.filter((one) => one.includes(`operations/${file}`)).map((one) => one.replace(file, 'own.ts'));
    expect(about(checked.lines)).toEqual([expect.stringMatching(line)]);
    expect(about(refusal)).toEqual(about(checked.lines));
  });

  it('with a mistake makes the check and the start end with 1, and the check count the mistakes', () => {
    expect([checked.code, ...startCodes]).toEqual([1, 1]);
    expect(checked.lines).toHaveLength(mistakes.length + 1);
    expect(checked.lines.at(-1)).toBe(`bellhop.yaml: ${mistakes.length} errors, 0 warnings.`);
  });

  it('says of each mistake what to write, in all files at once', async () => {
    const cwd = folderWith({
      'bellhop.yaml': yaml.replace('own.ts]', 'own.ts, ./operations/other.ts]'),
      'operations/own.ts': `${from}export const a = ${good('db.a')};\nexport const b = ${good('b')};\n`,
      'operations/other.ts': `${from}export const c = ${good('db.c')};\n`,
    });
    const { lines } = await check(cwd);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('operations/own.ts b.name: “b” must be area.verb');
    expect(lines[1]).toContain(
      'operations/other.ts c.name: “db.c”: the area “db” already belongs to operations/own.ts',
    );
  });

  it('may import files next to it, use a default export, and be JavaScript', async () => {
    const cwd = folderWith({
      'bellhop.yaml': yaml.replace('own.ts]', 'own.ts, ./operations/plain.js]'),
      'operations/own.ts': `${from}import { summary } from './shared.ts';\nexport default operation({ name: 'db.a', summary, risk: 'change', input: z.strictObject({}), run: async () => {} });\n`,
      'operations/shared.ts': 'export const summary: string = "Does it.";\n',
      'operations/plain.js': `${from}export const b = ${good('plain.b')};\n`,
    });
    const { code, lines } = await check(cwd, ['manifest']);
    expect(code).toBe(0);
    const { features } = printed.parse(JSON.parse(lines.join('\n')));
    const commands = features.slash_commands.map(({ command }) => command);
    expect(commands).toEqual(expect.arrayContaining(['/cloud', '/db', '/plain']));
  });
});

describe('rules about your own operations', () => {
  it('are checked like those about ours', async () => {
    const cwd = folderWith({
      'bellhop.yaml': `${yaml}  - { operations: [db.b], labels: { env: stagin }, roles: [anyone], then: confirm }\nsecrets: { orders-db: { operations: [lb.*] }, other: { operations: [db.*] } }\n`,
      'operations/own.ts': `${from}export const a = ${good('db.a')};\n`,
    });
    const { code, lines } = await check(cwd);
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringContaining('unknown operation “db.b”'),
      expect.stringContaining('no target has env=stagin. Did you mean “staging”?'),
      expect.stringContaining('secrets.orders-db.operations[0]: unknown operation “lb.*”'),
      'bellhop.yaml: 3 errors, 0 warnings.',
    ]);
  });
});

describe('the types', () => {
  it('are accepted by tsc --strict, from any folder', async () => {
    const cwd = folderWith({
      'operations/own.ts': `${from}import { notSent, refused } from 'bellhop';
export const a = operation({
  name: 'db.a', summary: 'Does it.', risk: 'destructive',
  input: z.strictObject({ db: z.string().max(60).describe('Which.').meta({ positional: true, target: 'database' }), pid: z.int().positive().describe('Pid.') }),
  preview: async ({ pid }, target, context) => [{ label: 'Query', value: String(pid) + target.settings.url + context.correlationId }],
  run: async ({ pid }, { target, confirmed, secret, http, signal, maySend }) => {
    if (pid === 1) throw refused('no');
    if (signal.aborted || !maySend()) throw notSent('late');
    const { ok } = await http(target.settings.url, { headers: { a: secret('b') } }).send('POST', '/x', { json: confirmed, schema: z.object({ ok: z.boolean() }) });
    return { ok };
  },
  report: ({ ok }, { target }) => ({ title: target.name + ok, facts: [] }),
  observe: async ({ http, target }) => ({ state: String(await http(target.name).get('/')) }),
  watch: { returns: true, progress: () => 'there', there: (target) => target.name, words: (seen) => String(seen.state) },
});
`,
    });
    expect((await check(cwd, ['types', 'operations'])).lines).toEqual(['operations/bellhop.d.ts']);
    const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const said = async (file: string) => {
      const args = [tsc, '--strict', '--noEmit', '--module', 'nodenext', file, 'operations/bellhop.d.ts'];
      return (await runNode(args, cwd)).out;
    };
    expect(await said('operations/own.ts')).toBe('');
    writeFileSync(join(cwd, 'operations/wrong.ts'), `${from}export const a = operation({ name: 'db.a' });\n`);
    expect(await said('operations/wrong.ts')).toContain('is missing the following properties');
  });
});
