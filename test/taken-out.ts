import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect } from 'vitest';

import type { Stage } from './program/stage.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const tsc = join(root, 'node_modules/.bin/tsc');

/** Rules with which a build without features reboots web-1. */
export const rules = `project: 1186668
region: 76
instances: { web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 } }
roles: { all: { users: [U0ALICE] } }
rules: [{ risk: [read, destructive, change], roles: [all], then: confirm }]
`;

export function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/**
 * A copy of the project for the tests of a file, which take rooms out of it one after another. The whole copy is compiled once,
 * so that afterwards the compiler checks what each change may affect.
 * @param parts of the project, without its settings
 * @param prepare called for each copy that is still whole
 */
export function copyFor(parts: readonly string[], prepare: (copy: string) => void = () => undefined) {
  let copy = '';
  const path = (name: string): string => join(copy, name);
  const makeWhole = (): void => {
    for (const part of parts) {
      rmSync(path(part), { recursive: true, force: true });
      cpSync(join(root, part), path(part), { recursive: true });
    }
    for (const file of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'manifest.json'])
      cpSync(join(root, file), path(file));
    prepare(copy);
  };
  const mistakes = async (): Promise<string> => {
    const args = ['-p', '.', '--tsBuildInfoFile', 'types.tsbuildinfo'];
    const ended = promisify(execFile)(tsc, args, { cwd: copy });
    const { stdout } = await ended.catch((error: { stdout: string }) => error);
    return stdout;
  };
  beforeAll(async () => {
    copy = temporaryFolder();
    symlinkSync(join(root, 'node_modules'), path('node_modules'));
    makeWhole();
    expect(await mistakes()).toBe('');
    cpSync(path('types.tsbuildinfo'), path('whole.tsbuildinfo'));
  }, 600_000);
  return {
    path,
    /** @param takeOut removes rooms from the copy, which is whole again */
    without(takeOut: (copy: string) => void): void {
      makeWhole();
      takeOut(copy);
    },
    /** Resolves to what the compiler says. */
    compile(): Promise<string> {
      cpSync(path('whole.tsbuildinfo'), path('types.tsbuildinfo'));
      return mistakes();
    },
  };
}

/** Alice reboots web-1, once. */
export async function rebootWebOne(stage: Stage): Promise<void> {
  await stage.say('U0ALICE', '/cloud reboot web-1');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
  await stage.press('U0ALICE', card, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
  expect(await stage.calls('rebootInstance')).toBe(1);
}
