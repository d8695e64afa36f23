import { cpSync, globSync } from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';

import { areas } from '../../../src/areas/index.ts';
import { setStage } from '../../program/stage.ts';
import { copyFor, rebootWebOne, rules } from '../../taken-out.ts';

const names = areas.map(({ name }) => name);

const list = 'src/areas/index.ts';

/** The playground imitates a service with all areas, so it takes their schemas from a complete copy. */
const copy = copyFor(['src', 'scripts', 'playground', 'examples'], [list], ({ path, edit }) => {
  cpSync(path('src'), path('whole'), { recursive: true });
  for (const file of globSync('playground/service/**/*.ts', { cwd: path('.') }))
    edit(file, (text) => text.replaceAll('../src/areas/', '../whole/areas/'));
  edit('tsconfig.json', (text) => text.replace(/"include": .*/u, '"include": ["src"],'));
});

const chosen = [...names.map((name) => [name]), names].map((taken) => [taken.join(', '), taken] as const);

it.each(chosen)(
  'without %s, the rest compiles and starts, and does what is left',
  async (_, taken) => {
    for (const name of taken) {
      copy.remove(`src/areas/${name}`);
      copy.edit(list, (text) =>
        text
          .replace(`import { ${name} } from './${name}/index.ts';\n`, '')
          .replace(new RegExp(`(?<=\\[.*)\\b${name}\\b(?:, )?`, 'u'), ''),
      );
    }
    copy.edit(list, (text) => text.replace(', ]', ']'));
    expect(await copy.compile()).toBe('');

    const stage = await setStage({ program: copy.path('src/start.js'), rulebook: rules });
    onTestFinished(() => stage.close());
    if (!taken.includes('cloud')) return rebootWebOne(stage);
    await stage.say('U0ALICE', '/cloud reboot web-1');
    await stage.seen('U0ALICE', ({ text }) => /Unknown command/u.test(text));
  },
  600_000,
);
