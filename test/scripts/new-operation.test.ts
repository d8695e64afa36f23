import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { runNode } from '../run-node.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
/** A copy of the repository, since an operation is written into it. */
const tree = temporaryFolder();

beforeAll(() => {
  for (const name of ['src', 'scripts', 'playground', 'deploy', 'docs', 'test'])
    cpSync(join(root, name), join(tree, name), { recursive: true });
  for (const name of ['package.json', 'package-lock.json', 'manifest.json', 'examples/bellhop.example.yaml'])
    cpSync(join(root, name), join(tree, name));
  for (const name of ['vitest.config.ts', '.oxfmtrc.json']) cpSync(join(root, name), join(tree, name));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});

const node = (...args: string[]) => runNode(args, tree);
const begin = (...names: string[]) => node('scripts/new-operation.ts', ...names);

it('a new operation is green at once, and listed behind the others of its area', async () => {
  const { out } = await begin('cloud.resize-disk');
  expect(out).toContain('npm test -- test/areas/cloud/resize-disk.test.ts');
  const index = readFileSync(join(tree, 'src/areas/cloud/index.ts'), 'utf8');
  expect(index).toContain("import { resizeDisk } from './resize-disk.ts';");
  const [, listed = ''] = /operations: \[([^\]]*)\]/u.exec(index) ?? [];
  expect(listed.match(/\w+/gu)?.at(-1)).toBe('resizeDisk');
  expect(readFileSync(join(tree, 'docs/commands.md'), 'utf8')).toContain('/cloud resize-disk');
  expect(await node('scripts/generate.ts', '--check')).toEqual({ code: 0, out: '', err: '' });
  const tested = await node('node_modules/vitest/vitest.mjs', 'run', 'test/areas/cloud/resize-disk.test.ts');
  expect(tested.out).toMatch(/1 passed/u);
});

it('the first operation of a new area lists the area', async () => {
  await begin('dns.look-up');
  expect(readFileSync(join(tree, 'src/areas/index.ts'), 'utf8')).toContain('[cloud, cdn, storage, dns];');
  expect(readFileSync(join(tree, 'src/areas/dns/index.ts'), 'utf8')).toContain('operations: [lookUp]');
  expect(readFileSync(join(tree, 'docs/commands.md'), 'utf8')).toContain('/dns look-up');
});

it.each([
  [[], 'Give one name such as cloud.resize: area.verb in lower-case letters'],
  [['resize'], 'Give one name such as cloud.resize: area.verb in lower-case letters'],
  [['cloud.Resize'], 'Give one name such as cloud.resize: area.verb in lower-case letters'],
  [['cloud.resize', 'cloud.grow'], 'Give one name such as cloud.resize: area.verb in lower-case letters'],
  [['../cloud.resize'], 'Give one name such as cloud.resize: area.verb in lower-case letters'],
  [['cloud.reboot'], 'src/areas/cloud/reboot.ts already exists.'],
  [['bellhop.audit'], 'src/operations/self/audit.ts already exists.'],
  [['bellhop.areas'], '“areas” is taken in src/operations/index.ts'],
  [['cloud.start-instance'], '“startInstance” is taken in src/areas/cloud/index.ts'],
  [['new.capacity'], '“new” cannot be the name of an area'],
  [['cloud.delete'], '“delete” is taken in src/areas/cloud/index.ts, or cannot be a name there'],
])('npm run new-operation refuses %j, in one line', async (names, why) => {
  const { code, err } = await begin(...names);
  expect(code).toBe(2);
  expect(err).toContain(why);
  expect(err).toMatch(/^[^\n]*\n$/u);
});

it('a new file of your own says on the card, in a sentence of its own, what its change does', async () => {
  await begin('--own', 'own/queues.ts');
  expect(readFileSync(join(tree, 'own/queues.ts'), 'utf8')).toMatch(
    /risk: 'change',[^]*effect: .* => `\$\{name\} will be down while it restarts\.`/u,
  );
});
