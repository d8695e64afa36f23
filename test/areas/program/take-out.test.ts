import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { areas } from '../../../src/areas/index.ts';
import { setStage } from '../../program/stage.ts';
import { copyFor, edit, rebootWebOne, rules } from '../../taken-out.ts';

const names = areas.map(({ name }) => name);

/** Its playground stands for a service that has all areas, and so has their schemas from a whole copy. */
const copy = copyFor(['src', 'scripts', 'playground', 'examples'], (folder) => {
  cpSync(join(folder, 'src'), join(folder, 'whole'), { recursive: true });
  for (const file of globSync('playground/service/**/*.ts', { cwd: folder }))
    edit(join(folder, file), (text) => text.replaceAll('../src/areas/', '../whole/areas/'));
  edit(join(folder, 'tsconfig.json'), (text) => text.replace(/"include": .*/u, '"include": ["src"],'));
});

const others = names.filter((name) => name !== 'cloud');
const chosen = [...names.map((name) => [name]), others, names].map(
  (taken) => [taken.join(', '), taken] as const,
);

it.each(chosen)(
  'without %s, the rest compiles and starts, and does what is left',
  async (_, taken) => {
    copy.without((folder) => {
      const list = join(folder, 'src/areas/index.ts');
      for (const name of taken) {
        rmSync(join(folder, 'src/areas', name), { recursive: true });
        edit(list, (text) =>
          text
            .replace(`import { ${name} } from './${name}/index.ts';\n`, '')
            .replace(new RegExp(`(?<=\\[.*)\\b${name}\\b(?:, )?`, 'u'), ''),
        );
      }
      edit(list, (text) => text.replace(', ]', ']'));
    });
    expect(await copy.compile()).toBe('');

    const stage = await setStage({ program: copy.path('src/start.js'), rulebook: rules });
    onTestFinished(() => stage.close());
    if (!taken.includes('cloud')) return rebootWebOne(stage);
    await stage.say('U0ALICE', '/cloud reboot web-1');
    await stage.seen('U0ALICE', ({ text }) => /Unknown command/u.test(text));
  },
  600_000,
);
