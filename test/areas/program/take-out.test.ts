import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { areas } from '../../../src/areas/index.ts';
import { setStage } from '../../program/stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const tsc = join(root, 'node_modules/.bin/tsc');
const names = areas.map(({ name }) => name);

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** The bot without these areas. Its playground stands for a service that has them, and so has their schemas from a whole copy. */
function copyWithout(taken: readonly string[]): string {
  const copy = temporaryFolder();
  for (const part of [
    'src',
    'scripts',
    'playground',
    'examples',
    'tsconfig.json',
    'package.json',
    'manifest.json',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  cpSync(join(root, 'src'), join(copy, 'whole'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const file of globSync('playground/service/**/*.ts', { cwd: copy }))
    edit(join(copy, file), (text) => text.replaceAll('../src/areas/', '../whole/areas/'));
  for (const name of taken) {
    rmSync(join(copy, 'src/areas', name), { recursive: true });
    edit(join(copy, 'src/areas/index.ts'), (text) =>
      text
        .replace(`import { ${name} } from './${name}/index.ts';\n`, '')
        .replace(new RegExp(`(?<=\\[.*)\\b${name}\\b(?:, )?`, 'u'), ''),
    );
  }
  edit(join(copy, 'src/areas/index.ts'), (text) => text.replace(', ]', ']'));
  edit(join(copy, 'tsconfig.json'), (text) => text.replace(/"include": .*/u, '"include": ["src"],'));
  return copy;
}

const rules = `project: 1186668
region: 76
instances: { web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 } }
roles: { all: { users: [U0ALICE] } }
rules: [{ risk: [read, destructive, change], roles: [all], then: confirm }]
`;

const others = names.filter((name) => name !== 'cloud');
const chosen = [...names.map((name) => [name]), others, names].map(
  (taken) => [taken.join(', '), taken] as const,
);

it.each(chosen)(
  'without %s, the rest compiles and starts, and does what is left',
  async (_, taken) => {
    const copy = copyWithout(taken);
    const compiled = await run(tsc, ['-p', '.', '--tsBuildInfoFile', 'types.tsbuildinfo'], {
      cwd: copy,
    }).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');

    const stage = await setStage({ program: join(copy, 'src/start.js'), rulebook: rules });
    onTestFinished(() => stage.close());
    if (taken.includes('cloud')) {
      await stage.say('U0ALICE', '/cloud reboot web-1');
      await stage.seen('U0ALICE', ({ text }) => /Unknown command/u.test(text));
      return;
    }
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(1);
  },
  600_000,
);
