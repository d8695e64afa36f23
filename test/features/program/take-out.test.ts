import { writeFileSync } from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { setStage } from '../../program/stage.ts';
import { copyFor, rebootWebOne, rules } from '../../taken-out.ts';
import { until } from '../../until.ts';
import { featureTests } from '../index.ts';

const names = featureTests.map(({ name }) => name);
const lists = ['src/features/index.ts', 'test/features/index.ts'];
const copy = copyFor(['src', 'test', 'playground', 'scripts', 'bench', 'examples', 'docs', 'deploy'], lists);

/** Removes features: their folders, and their imports in the two lists. */
function takeOut(taken: readonly string[]): void {
  for (const { name, beside = [] } of featureTests)
    if (taken.includes(name)) for (const path of beside) copy.remove(path);
  for (const name of taken)
    for (const list of lists) {
      copy.remove(list.replace('index.ts', name));
      copy.edit(list, (text) => {
        const [line = '', entry = ''] =
          new RegExp(`^import \\{ (\\w+) \\} from './${name}/index.ts';\n`, 'mu').exec(text) ?? [];
        return text.replace(line, '').replaceAll(new RegExp(`\\b${entry}\\b,?\\s*`, 'gu'), '');
      });
    }
}

const unknownKey = /:\d+:\d+: .*(?:is not a valid key here|unknown operation)/u;

const chosen = [...names.map((name) => [name, [name]] as const), ['all features', names] as const];

it.each(chosen)(
  'without %s, the rest compiles with its tests, refuses its keys, and reboots web-1',
  async (_, taken) => {
    takeOut(taken);
    expect(await copy.compile()).toBe('');

    const withKeys = featureTests.flatMap(({ name, sample }) =>
      sample === undefined ? [] : [{ name, sample }],
    );
    const files = withKeys.map(({ name, sample }) => {
      const file = copy.path(`${name}.yaml`);
      writeFileSync(file, sample);
      return file;
    });
    const stage = await setStage({
      program: copy.path('test/features/program/check-all.ts'),
      rulebook: rules,
      env: { CHECKED_FILES: files.join(':') },
    });
    onTestFinished(() => stage.close());
    const checked = await until(() => /^checked (.*)$/mu.exec(stage.bot.output())?.[1]);
    const refused = z
      .array(z.array(z.string()))
      .parse(JSON.parse(checked))
      .map((lines) => lines.some((line) => unknownKey.test(line)));
    expect(refused).toEqual(withKeys.map(({ name }) => taken.includes(name)));
    await rebootWebOne(stage);
  },
  600_000,
);

it.each(featureTests.flatMap(({ name, held }) => (held ? [[name, held] as const] : [])))(
  'without %s, a request that it made a demand on is neither run nor lost',
  async (name, { rules: withFeature, env, refusal }) => {
    const stage = await setStage({ rulebook: withFeature(rules), env });
    onTestFinished(() => stage.close());
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    await stage.bot.end('SIGTERM');
    writeFileSync(z.string().parse(stage.env['BELLHOP_CONFIG']), rules);
    takeOut([name]);
    await stage.restart(copy.path('src/start.js'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await stage.seen('U0ALICE', ({ text, ephemeral }) => ephemeral && text.includes(refusal));
    await stage.press('U0ALICE', card, 'Cancel');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('cancelled'));
    expect(await stage.calls('rebootInstance')).toBe(0);
  },
  600_000,
);
