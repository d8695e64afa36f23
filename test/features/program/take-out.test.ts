import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { setStage } from '../../program/stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { featureTests } from '../index.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const tsc = join(root, 'node_modules/.bin/tsc');
/** As deep as the one in the cache, from which it is copied: its paths are relative. */
const buildInfo = 'a/b/types.tsbuildinfo';
const names = featureTests.map(({ name }) => name);

/** A copy of the project without these features: their folders, and what imports them in the two lists. */
function copyWithout(taken: readonly string[]): string {
  const copy = temporaryFolder();
  for (const part of ['src', 'test', 'playground', 'scripts', 'bench', 'examples', 'docs', 'deploy'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'manifest.json'])
    cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const known = join(root, 'node_modules/.cache/types.tsbuildinfo');
  if (existsSync(known)) cpSync(known, join(copy, buildInfo));
  for (const { name, beside = [] } of featureTests)
    if (taken.includes(name))
      for (const path of beside) rmSync(join(copy, path), { recursive: true, force: true });
  for (const name of taken)
    for (const floor of ['src', 'test']) {
      rmSync(join(copy, floor, 'features', name), { recursive: true });
      const list = join(copy, floor, 'features/index.ts');
      const text = readFileSync(list, 'utf8');
      const [line = '', entry = ''] =
        new RegExp(`^import \\{ (\\w+) \\} from './${name}/index.ts';\n`, 'mu').exec(text) ?? [];
      writeFileSync(list, text.replace(line, '').replaceAll(new RegExp(`\\b${entry}\\b,?\\s*`, 'gu'), ''));
    }
  return copy;
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves to what a program wrote, whatever its exit code. */
const ended = (program: Promise<Ended>): Promise<Ended> => program.catch((error: Ended) => error);

const rules = `project: 1186668
region: 76
instances: { web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 } }
roles: { all: { users: [U0ALICE] } }
rules: [{ risk: [read, destructive, change], roles: [all], then: confirm }]
`;

const unknownKey = /:\d+:\d+: .*(?:is not a valid key here|unknown operation)/u;

const chosen = [...names.map((name) => [name, [name]] as const), ['all features', names] as const];

it.each(chosen)(
  'without %s, the rest compiles with its tests, refuses its keys, and reboots web-1',
  async (_, taken) => {
    const copy = copyWithout(taken);
    const compiled = await ended(run(tsc, ['-p', '.', '--tsBuildInfoFile', buildInfo], { cwd: copy }));
    expect(compiled.stdout).toBe('');

    const withKeys = featureTests.flatMap(({ name, sample }) =>
      sample === undefined ? [] : [{ name, sample }],
    );
    const files = withKeys.map(({ name, sample }) => {
      const file = join(copy, `${name}.yaml`);
      writeFileSync(file, sample);
      return file;
    });
    const checkAll = ['test/features/program/check-all.ts', ...files];
    const { stdout } = await run(process.execPath, checkAll, { cwd: copy });
    const refused = z
      .array(z.array(z.string()))
      .parse(JSON.parse(stdout))
      .map((lines) => lines.some((line) => unknownKey.test(line)));
    expect(refused).toEqual(withKeys.map(({ name }) => taken.includes(name)));

    const stage = await setStage({ program: join(copy, 'src/start.js'), rulebook: rules });
    onTestFinished(() => stage.close());
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(1);
  },
  600_000,
);

it.each(featureTests.flatMap(({ name, held }) => (held ? [[name, held] as const] : [])))(
  'without %s, what it asked of a request before is neither forgotten nor run',
  async (name, { rules: withFeature, env, refusal }) => {
    const stage = await setStage({ rulebook: withFeature(rules), env });
    onTestFinished(() => stage.close());
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    await stage.bot.end('SIGTERM');
    writeFileSync(z.string().parse(stage.env['BELLHOP_CONFIG']), rules);
    await stage.restart(join(copyWithout([name]), 'src/start.js'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await stage.seen('U0ALICE', ({ text, ephemeral }) => ephemeral && text.includes(refusal));
    await stage.press('U0ALICE', card, 'Cancel');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('cancelled'));
    expect(await stage.calls('rebootInstance')).toBe(0);
  },
  600_000,
);
