import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

import type { Stage } from './program/stage.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const tsc = join(root, 'node_modules/.bin/tsc');
const cache = 'node_modules/.cache';

/** Rules with which a build without features reboots web-1. */
export const rules = `project: 1186668
region: 76
instances: { web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 } }
roles: { all: { users: [U0ALICE] } }
rules: [{ risk: [read, destructive, change], roles: [all], then: confirm }]
`;

/** A copy of the project. Its changes are undone before the next test. */
export interface Copy {
  readonly path: (name: string) => string;
  readonly edit: (name: string, change: (text: string) => string) => void;
  readonly remove: (name: string) => void;
  /** Resolves to the output of the compiler. */
  readonly compile: () => Promise<string>;
}

/**
 * A copy of the project for the tests of a file, which remove rooms from it one after another. The whole copy is
 * compiled once, so that the compiler then checks only what each change may affect. If `npm run check` has just
 * compiled the project, its result is used.
 * @param parts the parts of the project, without its settings
 * @param lists the files that import the rooms
 * @param prepare called once, while the copy is still whole
 */
export function copyFor(
  parts: readonly string[],
  lists: readonly string[],
  prepare: (copy: Copy) => void = () => undefined,
): Copy {
  let folder = '';
  let whole = '';
  const undo: (() => void)[] = [];
  const path = (name: string): string => join(folder, name);
  const undone = (): void => {
    for (const one of undo.splice(0).toReversed()) one();
  };
  // The file is next to the packages, like the one of the project, in which all paths are relative.
  const info = (): string => `${cache}/${basename(folder)}.tsbuildinfo`;
  const mistakes = async (): Promise<string> => {
    const args = ['-p', '.', '--preserveSymlinks', '--tsBuildInfoFile', info()];
    const ended = promisify(execFile)(tsc, args, { cwd: folder });
    const { stdout } = await ended.catch((error: { stdout: string }) => error);
    return stdout;
  };
  const copy: Copy = {
    path,
    edit(name, change) {
      const before = readFileSync(path(name), 'utf8');
      undo.push(() => writeFileSync(path(name), before));
      writeFileSync(path(name), change(before));
    },
    remove(name) {
      const aside = path(`aside-${undo.length}`);
      if (!existsSync(path(name))) return;
      undo.push(() => renameSync(aside, path(name)));
      renameSync(path(name), aside);
    },
    compile() {
      cpSync(whole, path(info()));
      return mistakes();
    },
  };
  beforeAll(async () => {
    folder = temporaryFolder();
    whole = path('whole.tsbuildinfo');
    symlinkSync(join(root, 'node_modules'), path('node_modules'));
    for (const part of parts) cpSync(join(root, part), path(part), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'manifest.json'])
      cpSync(join(root, file), path(file));
    prepare(copy);
    undo.length = 0;
    mkdirSync(path(cache), { recursive: true });
    const compiled = path(`${cache}/types.tsbuildinfo`);
    if (existsSync(compiled)) cpSync(compiled, path(info()));
    expect(await mistakes()).toBe('');
    // The compiler stores what other files see of a changed file. If that is unchanged, it does not check the other
    // files again.
    for (const list of lists) copy.edit(list, (text) => `${text}\n`);
    expect(await mistakes()).toBe('');
    undone();
    expect(await mistakes()).toBe('');
    cpSync(path(info()), whole);
  }, 600_000);
  beforeEach(undone);
  afterAll(() => rmSync(join(root, info()), { force: true }));
  return copy;
}

/** Alice reboots web-1, once. */
export async function rebootWebOne(stage: Stage): Promise<void> {
  await stage.say('U0ALICE', '/cloud reboot web-1');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
  await stage.press('U0ALICE', card, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
  expect(await stage.calls('rebootInstance')).toBe(1);
}
