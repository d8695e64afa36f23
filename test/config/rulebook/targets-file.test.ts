import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';

import {
  largestRulebook,
  loadRulebook,
  loadRulebookFile,
  rulebookLines,
} from '../../../src/config/rulebook/read-rulebook.ts';
import { watchRulebook } from '../../../src/config/rulebook/watch-rulebook.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { knownOperations } from '../known-operations.ts';

const rules = 'targets: ./targets.json\n';
const databases = (...names: readonly string[]) => ({
  database: Object.fromEntries(
    names.map((name) => [name, { url: `https://${name}.example.com`, labels: { env: 'production' } }]),
  ),
});

async function read(targets: string | undefined, yaml = rules) {
  const folder = temporaryFolder();
  if (targets !== undefined) writeFileSync(join(folder, 'targets.json'), targets);
  writeFileSync(join(folder, 'bellhop.yaml'), yaml);
  return loadRulebookFile(join(folder, 'bellhop.yaml'), 'bellhop.yaml', knownOperations);
}

const inline = (targets: unknown) => read(undefined, `targets: ${JSON.stringify(targets)}\n`);

async function targetsOf(reading: ReturnType<typeof read>) {
  const result = await reading;
  return result.ok ? result.rulebook.inventory.targets : rulebookLines(result).problems;
}

it('a file has the same kinds and names as bellhop.yaml', async () => {
  const targets = databases('orders', 'users');
  const fromFile = await targetsOf(read(JSON.stringify(targets)));
  expect(fromFile).toMatchObject({ database: { users: { labels: { env: 'production' } } } });
  expect(fromFile).toEqual(await targetsOf(inline(targets)));
});

it('the policy has another hash with other targets', async () => {
  const results = await Promise.all([
    read(JSON.stringify(databases('a'))),
    read(JSON.stringify(databases('b'))),
  ]);
  const hashes = results.map((result) => result.ok && result.rulebook.policy.hash);
  expect(new Set(hashes).size).toBe(2);
});

it.each<[mistake: string, targets: string | undefined, line: string]>([
  ['is missing', undefined, './targets.json does not exist: give the path of a JSON file.'],
  ['is not JSON', '{"database": {"a": {},}}', './targets.json is not valid JSON ('],
  ['is empty', '', './targets.json is not valid JSON ('],
  ['is a list', '[]', 'bellhop.yaml:1:10: targets: must be a mapping of keys to values, not a list.'],
  [
    'names a target twice',
    '{\n "database": {\n  "a": {},\n  "a": {}\n }\n}',
    './targets.json:4:3: duplicate key “a”.',
  ],
  [
    'has an escaped duplicate',
    '{"database": {"a": {}, "\\u0061": {}}}',
    './targets.json:1:24: duplicate key “a”.',
  ],
  [
    'has a number as a label',
    '{\n "database": {"a": {"labels": {"env": 1}}}\n}',
    './targets.json:2:39: database.a.labels.env: must be text',
  ],
  [
    'has a built-in kind',
    '{"instance": {}}',
    './targets.json:1:2: instance: is built in. Choose another word.',
  ],
  [
    'is too deep',
    `{"database": {"a": {"x": ${'['.repeat(40)}${']'.repeat(40)}}}}`,
    './targets.json:1:56: this is nested more than 32 levels deep.',
  ],
  [
    'has a prototype',
    '{"database": {"a": {"__proto__": {}}}}',
    './targets.json:1:21: “__proto__” cannot be used',
  ],
  [
    'has too many targets',
    JSON.stringify({
      database: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`n${at}`, {}])),
    }),
    './targets.json:1:13: database: has more than 10,000 targets.',
  ],
  ['is too large', `"${'x'.repeat(largestRulebook)}"`, './targets.json is larger than 4096 KiB'],
])('a file that %s is named with its mistake', async (_, targets, line) => {
  expect(await targetsOf(read(targets))).toEqual([expect.stringContaining(line)]);
});

it('text that is not the path of a JSON file is refused', async () => {
  expect(await targetsOf(read(undefined, 'targets: targets.txt\n'))).toEqual([
    'bellhop.yaml:1:10: targets: must be a mapping of keys to values, not text.',
  ]);
});

it('any JSON is read as the same YAML would be, or refused', async () => {
  const part = fc.oneof(fc.string(), fc.integer(), fc.constant('a'), fc.constant('__proto__'));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.constantFrom('database', 'lb', 'own'),
        fc.dictionary(fc.string(), fc.object({ values: [part] })),
      ),
      async (targets) => {
        const [file, yaml] = await Promise.all([
          targetsOf(read(JSON.stringify(targets))),
          targetsOf(inline(targets)),
        ]);
        expect(Array.isArray(file) ? 'refused' : file).toEqual(Array.isArray(yaml) ? 'refused' : yaml);
      },
    ),
    { numRuns: 60 },
  );
});

const eventually = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 60_000, interval: 20 });

it('either file is read again when it changes, relative to bellhop.yaml', async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const write = (name: string, targets: unknown): void => writeFileSync(at(name), JSON.stringify(targets));
  write('targets.json', databases('first'));
  writeFileSync(at('bellhop.yaml'), rules);
  const place = { label: 'bellhop.yaml', folder };
  const initial = await loadRulebookFile(at('bellhop.yaml'), 'bellhop.yaml', knownOperations);
  if (!initial.ok) throw new Error(rulebookLines(initial).problems.join('\n'));
  const loaded: (readonly string[])[] = [];
  const rejected: (readonly string[])[] = [];
  const watch = watchRulebook({
    file: at('bellhop.yaml'),
    targetsFile: at('targets.json'),
    async parse(bytes) {
      const lines = rulebookLines(await loadRulebook(bytes, place, knownOperations));
      // The missing file is created after the look for it, and before it is watched.
      if (!lines.rulebook) write('other.json', databases('third'));
      return lines;
    },
    initial: initial.rulebook,
    onLoaded: ({ inventory }) => void loaded.push(Object.keys(inventory.targets['database'] ?? {})),
    onRejected: (problems) => void rejected.push(problems),
  });
  onTestFinished(() => watch.close());
  await watch.reload();
  expect([loaded, rejected]).toEqual([[], []]);
  write('targets.json', databases('second'));
  await eventually(() => expect(loaded).toEqual([['second']]));
  // Names another file, which does not exist yet.
  writeFileSync(at('bellhop.yaml'), 'targets: other.json\n');
  await eventually(() => expect(rejected).toEqual([[expect.stringContaining('other.json does not exist')]]));
  write('targets.json', databases('unused'));
  await eventually(() => expect(loaded).toEqual([['second'], ['third']]));
  expect(rejected).toHaveLength(1);
});
