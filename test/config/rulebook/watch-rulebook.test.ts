import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import {
  rulebookLines,
  parseRulebook,
  readSampleRulebook,
} from '../../../src/config/rulebook/read-rulebook.ts';
import { watchRulebook, type RulebookWatch } from '../../../src/config/rulebook/watch-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import { knownOperations } from '../known-operations.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

interface Watched {
  readonly watch: RulebookWatch;
  /** The projects of the rules that came into force, in order. */
  readonly loaded: (number | undefined)[];
  readonly rejected: (readonly string[])[];
  /** How often a file was parsed since the start. */
  readonly parsed: () => number;
}

const parse = async (bytes: Uint8Array, label: string) =>
  rulebookLines(parseRulebook(bytes, label, knownOperations));

const yaml = (project: number): string => `project: ${project}\n`;

function watched(file: string, isAwaited = false): Watched {
  const initial = isAwaited
    ? readSampleRulebook(operations)
    : parseRulebook(readFileSync(file), 'bellhop.yaml', knownOperations);
  if (!initial.ok) throw new Error(findingLines(initial.findings).join('\n'));
  const loaded: (number | undefined)[] = [];
  const rejected: (readonly string[])[] = [];
  let parsed = 0;
  const watch = watchRulebook({
    file: isAwaited ? undefined : file,
    awaited: file,
    parse(bytes, label) {
      parsed += 1;
      return parse(bytes, label);
    },
    initial: initial.rulebook,
    onLoaded: ({ inventory }) => void loaded.push(inventory.project),
    onRejected: (problems) => void rejected.push(problems),
  });
  onTestFinished(() => watch.close());
  return { watch, loaded, rejected, parsed: () => parsed };
}

function fileWith(project: number): string {
  const file = join(temporaryFolder(), 'bellhop.yaml');
  writeFileSync(file, yaml(project));
  return file;
}

const eventually = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 60_000, interval: 20 });

const projectOf = ({ watch }: Watched): number | undefined => watch.current().inventory.project;

it('a file that appears replaces the sample, and its mistakes are reported', async () => {
  const file = join(temporaryFolder(), 'bellhop.yaml');
  const stage = watched(file, true);
  await stage.watch.reload();
  expect([stage.loaded, stage.rejected]).toEqual([[], []]);
  writeFileSync(file, 'project: none\n');
  await eventually(() => expect(stage.rejected).toHaveLength(1));
  expect(projectOf(stage)).toBe(1186668);
  writeFileSync(file, yaml(2));
  await eventually(() => expect(stage.loaded).toEqual([2]));
});

describe('a changed file', () => {
  it.each<[string, (file: string) => void]>([
    ['written in place', (file) => writeFileSync(file, yaml(2))],
    [
      'replaced by renaming another over it',
      (file) => {
        writeFileSync(`${file}.new`, yaml(2));
        renameSync(`${file}.new`, file);
      },
    ],
    [
      'moved away and rewritten',
      (file) => {
        renameSync(file, `${file}~`);
        writeFileSync(file, yaml(2));
      },
    ],
  ])('is in force soon after it was %s, and again after the next change', async (_, change) => {
    const file = fileWith(1);
    const seen = watched(file);
    expect(projectOf(seen)).toBe(1);
    change(file);
    await eventually(() => expect(projectOf(seen)).toBe(2));
    writeFileSync(file, yaml(3));
    await eventually(() => expect(seen.loaded).toEqual([2, 3]));
    expect(seen.rejected).toEqual([]);
  });

  it('is noticed where it changed between the first reading and the watching', async () => {
    const file = fileWith(1);
    const initial = parseRulebook(readFileSync(file), 'bellhop.yaml', knownOperations);
    if (!initial.ok) throw new Error('the file is good');
    writeFileSync(file, yaml(2));
    const loaded: unknown[] = [];
    const watch = watchRulebook({
      file,
      parse,
      initial: initial.rulebook,
      onLoaded: ({ inventory }) => void loaded.push(inventory.project),
      onRejected: (problems) => void loaded.push(problems),
    });
    onTestFinished(() => watch.close());
    await eventually(() => expect(loaded).toEqual([2]));
  });

  it('is followed where a mounted folder is swapped by its link', async () => {
    const folder = temporaryFolder();
    const version = (name: string, project: number): void => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'bellhop.yaml'), yaml(project));
      symlinkSync(name, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    version('..2026_1', 1);
    symlinkSync('..data/bellhop.yaml', join(folder, 'bellhop.yaml'));
    const seen = watched(join(folder, 'bellhop.yaml'));
    for (const project of [2, 3]) {
      version(`..2026_${project}`, project);
      await eventually(() => expect(projectOf(seen)).toBe(project));
      rmSync(join(folder, `..2026_${project - 1}`), { recursive: true });
    }
    expect(seen.loaded).toEqual([2, 3]);
  });

  it('is followed if the file is a link to another folder', async () => {
    const real = fileWith(1);
    const link = join(temporaryFolder(), 'bellhop.yaml');
    symlinkSync(real, link);
    const seen = watched(link);
    writeFileSync(real, yaml(2));
    await eventually(() => expect(projectOf(seen)).toBe(2));
    const other = fileWith(3);
    unlinkSync(link);
    symlinkSync(other, link);
    await eventually(() => expect(projectOf(seen)).toBe(3));
    writeFileSync(other, yaml(4));
    await eventually(() => expect(projectOf(seen)).toBe(4));
  });
});

describe('a broken file', () => {
  it('changes nothing, is reported once with its mistakes, and is forgotten when it is fixed', async () => {
    const file = fileWith(1);
    const seen = watched(file);
    writeFileSync(file, 'projcet: 2\n');
    await eventually(() => expect(seen.rejected).toHaveLength(1));
    expect(seen.rejected[0]?.[0]).toMatch(
      /^bellhop\.yaml:1:1: projcet: is not a valid key here\. Did you mean “project”\?/u,
    );
    await seen.watch.reload();
    expect(seen.rejected).toHaveLength(1);
    expect(projectOf(seen)).toBe(1);
    writeFileSync(file, yaml(1));
    await eventually(() => expect(seen.loaded).toEqual([1]));
  });

  it('is also one that is gone', async () => {
    const file = fileWith(1);
    const seen = watched(file);
    unlinkSync(file);
    await eventually(() => expect(seen.rejected).toEqual([['bellhop.yaml does not exist.']]));
    expect(projectOf(seen)).toBe(1);
    writeFileSync(file, yaml(5));
    await eventually(() => expect(projectOf(seen)).toBe(5));
  });
});

it('a file that takes too much memory to read is reported once, and read again on SIGHUP', async () => {
  const file = fileWith(1);
  const initial = parseRulebook(readFileSync(file), 'bellhop.yaml', knownOperations);
  if (!initial.ok) throw new Error('the file is good');
  const seen: unknown[] = [];
  let memory = 0;
  const watch = watchRulebook({
    file,
    parse: (bytes, label) =>
      memory === 0 ? Promise.reject(new Error('out of memory')) : parse(bytes, label),
    initial: initial.rulebook,
    onLoaded: ({ inventory }) => void seen.push(inventory.project),
    onRejected: (problems) => void seen.push(...problems),
  });
  onTestFinished(() => watch.close());
  writeFileSync(file, yaml(2));
  await watch.reload();
  await watch.reload();
  expect(seen).toEqual([
    'bellhop.yaml could not be read (out of memory). Bellhop tries again for two minutes. If it still fails, make the file smaller, or send SIGHUP.',
  ]);
  memory = 1;
  await watch.reload();
  expect(seen.slice(1)).toEqual([2]);
});

describe('SIGHUP', () => {
  it('has the file read, although no look at it is due', async () => {
    // Without this timer, a change that `watchFile` notices is never read.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = fileWith(1);
    const seen = watched(file);
    writeFileSync(file, yaml(2));
    const signal = once(process, 'SIGHUP');
    process.kill(process.pid, 'SIGHUP');
    await signal;
    await turn();
    expect(seen.loaded).toEqual([2]);
  });

  it('has no effect if the file is the same, which is not parsed again', async () => {
    const file = fileWith(1);
    const seen = watched(file);
    await seen.watch.reload();
    expect(seen.loaded).toEqual([]);
    expect(seen.rejected).toEqual([]);
    expect(seen.parsed()).toBe(0);
    writeFileSync(file, yaml(2));
    await seen.watch.reload();
    expect(seen.parsed()).toBe(1);
  });

  it('is left alone after closing', () => {
    const before = process.listenerCount('SIGHUP');
    const seen = watched(fileWith(1));
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
    seen.watch.close();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});

describe('the sample of rules, which has no file', () => {
  it('is the same after a reload', async () => {
    const initial = parseRulebook(readFileSync(fileWith(1)), 'bellhop.yaml', knownOperations);
    if (!initial.ok) throw new Error('the file is good');
    const watch = watchRulebook({
      file: undefined,
      parse,
      initial: initial.rulebook,
      onLoaded: () => expect.unreachable(),
      onRejected: () => expect.unreachable(),
    });
    await watch.reload();
    expect(watch.current()).toBe(initial.rulebook);
  });
});
