import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { pages } from '../../scripts/bundle-page.ts';
import { released, sectionOf } from '../../scripts/release.ts';
import { runNode } from '../run-node.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const changelog = `# Changelog

## [Unreleased]

- A new thing.

## [0.1.0] - 2026-01-01

- The first.
`;
const files = (name: string): string => (name === 'CHANGELOG.md' ? changelog : read(name));

const empty = (name: string): string => files(name).replace('- A new thing.', '');

describe('npm run release', () => {
  it('changes the version everywhere, and makes Unreleased its section', () => {
    const changed = released('0.2.0', '2026-12-24', files);
    const text = (name: string): string => changed.get(name) ?? '';
    expect(sectionOf(text('CHANGELOG.md'), '0.2.0')).toBe('- A new thing.');
    expect(sectionOf(text('CHANGELOG.md'), 'Unreleased')).toBe('');
    expect(text('CHANGELOG.md')).toContain('## [0.2.0] - 2026-12-24\n');
    const version = z.object({ version: z.literal('0.2.0') });
    expect(version.safeParse(JSON.parse(text('package.json'))).success).toBe(true);
    const lock = version.extend({ packages: z.object({ '': version }) });
    expect(lock.safeParse(JSON.parse(text('package-lock.json'))).success).toBe(true);
    expect(parse(text('deploy/helm/Chart.yaml'))).toMatchObject({ version: '0.2.0', appVersion: '0.2.0' });
    expect(text('test/released/interface.json')).toBe(read('docs/interface-of-bellhop.json'));
  });

  it('refuses a version that is not greater, and a release without changes', () => {
    expect(() => released('0.1.0', '2026-12-24', files)).toThrow('0.1.0 is not greater than 0.1.0');
    expect(() => released('0.2.0', '2026-12-24', empty)).toThrow('nothing under Unreleased');
  });

  it('prints with --dry-run what it would do, and does nothing', async () => {
    const { code, out } = await runNode(['scripts/release.ts', '7.0.0', '--dry-run'], root);
    expect(code).toBe(0);
    expect(out).toContain('would change package.json\n');
    expect(out).toContain('would tag v7.0.0. The notes would be:');
    expect(read('package.json')).not.toContain('"version": "7.0.0"');
  });

  it('refuses a word that is not a version', async () => {
    expect(await runNode(['scripts/release.ts', 'next'], root)).toMatchObject({ code: 2 });
  });
});

describe('release.yml', () => {
  it('pins every action to a commit, and names the version next to it', () => {
    const used = [...read('.github/workflows/release.yml').matchAll(/uses: (.+)$/gmu)].map(
      ([, one = '']) => one,
    );
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((one) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(one))).toEqual([]);
  });
});

/** A folder with nothing but these files and the packages. */
function folderWith(copied: readonly string[]): string {
  const folder = temporaryFolder();
  for (const file of copied) cpSync(join(root, file), join(folder, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The files of the checkout that a stage copies. */
const copiedBy = (stage: string): readonly string[] =>
  [...stage.matchAll(/^COPY (.+) \S+$/gmu)].flatMap(([, from = '']) => from.split(' '));

it('the image is built from no more than the files that it copies', async () => {
  const [, first = ''] = read('Dockerfile').split(/^FROM .+$/mu);
  const folder = folderWith(copiedBy(first));
  expect(await runNode(['scripts/build.ts'], folder)).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(join(folder, 'dist/pages'))).toEqual([...pages().keys()].map((name) => `${name}.html`));
});

it('the demo image has what the playground needs', async () => {
  const demo = read('deploy/demo.Dockerfile');
  const copied = copiedBy(demo);
  const folder = folderWith(copied);
  expect(/^FROM (\S+)/mu.exec(demo)?.[1]).toBe(/^FROM (\S+)/mu.exec(read('Dockerfile'))?.[1]);
  const letIn = read('deploy/demo.Dockerfile.dockerignore').match(/^!.+$/gmu) ?? [];
  expect(letIn.map((line) => line.slice(1)).toSorted()).toEqual(copied.toSorted());
  const [, program = ''] = z.array(z.string()).parse(JSON.parse(/^CMD (.+)$/mu.exec(demo)?.[1] ?? ''));
  const env = { PATH: process.env['PATH'], PORT: '0', LOCAL_PORT: '0', LOCAL_SERVICE_PORT: '0' };
  const bot = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void bot.kill());
  let shown = '';
  bot.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
  });
  const page = await until(() => /^Open (http\S+)$/mu.exec(shown)?.[1]);
  expect((await fetch(page)).status).toBe(200);
});
