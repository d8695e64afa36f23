import { type FSWatcher, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { linesOf, parseRulebook, readRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { watchRulebook } from '../../../src/config/rulebook/watch-rulebook.ts';
import { knownOperations } from '../known-operations.ts';
import { temporaryFolder } from '../temporary-folder.ts';

vi.mock('node:fs', { spy: true });

const systemError = (code: string): Error => Object.assign(new Error(`${code}: watch`), { code });

const noWatchesLeft = (): never => {
  throw systemError('ENOSPC');
};

function watched(file: string) {
  const initial = readRulebook(file, 'bellhop.yaml', knownOperations);
  if (!initial.ok) throw new Error(findingLines(initial.findings).join('\n'));
  const loaded: (number | undefined)[] = [];
  const rejected: (readonly string[])[] = [];
  const unwatched: string[] = [];
  const rules = watchRulebook({
    file,
    parse: async (bytes, label) => linesOf(parseRulebook(bytes, label, knownOperations)),
    initial: initial.rulebook,
    onLoaded: ({ inventory }) => void loaded.push(inventory.project),
    onRejected: (problems) => void rejected.push(problems),
    onUnwatched: (problem) => void unwatched.push(problem),
  });
  onTestFinished(() => rules.close());
  return { loaded, rejected, unwatched };
}

function fileWith(project: number): string {
  const file = join(temporaryFolder(), 'bellhop.yaml');
  writeFileSync(file, `project: ${project}\n`);
  return file;
}

/** The watchers that were opened, in order. */
const opened = (): readonly FSWatcher[] =>
  vi.mocked(watch).mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(watch).mockReset();
});

describe('where the machine has no file watches left', () => {
  it.each([
    ['ENOSPC', /fs\.inotify\.max_user_watches/u],
    ['EMFILE', /fs\.inotify\.max_user_instances/u],
    ['EACCES', /SIGHUP/u],
  ])('(%s) it says what to do, once, and refuses no file', async (code, hint) => {
    vi.mocked(watch).mockImplementation(() => {
      throw systemError(code);
    });
    const seen = watched(fileWith(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.unwatched).toEqual([expect.stringMatching(hint)]);
    expect(seen.unwatched[0]).toMatch(/^bellhop\.yaml is not watched \(E[A-Z]+\): .*SIGHUP/u);
    expect(seen.rejected).toEqual([]);
  });

  it('a changed file is in force within 5 s', async () => {
    vi.mocked(watch).mockImplementation(noWatchesLeft);
    const file = fileWith(1);
    const seen = watched(file);
    await vi.advanceTimersByTimeAsync(5000);
    writeFileSync(file, 'project: 2\n');
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen.loaded).toEqual([2]);
  });

  it('the file is watched as soon as there are some again, and no longer read every 5 s', async () => {
    vi.mocked(watch).mockImplementationOnce(noWatchesLeft);
    watched(fileWith(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened()).toHaveLength(1);
  });
});

it('a watcher that fails later is no refused file: it is said, and the file is read every 5 s', async () => {
  const file = fileWith(1);
  const seen = watched(file);
  await vi.advanceTimersByTimeAsync(1000);
  vi.mocked(watch).mockImplementation(noWatchesLeft);
  opened().at(-1)?.emit('error', systemError('ENOSPC'));
  expect(seen.rejected).toEqual([]);
  expect(seen.unwatched).toEqual([expect.stringMatching(/^bellhop\.yaml is not watched \(ENOSPC\): /u)]);
  writeFileSync(file, 'project: 2\n');
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen.loaded).toEqual([2]);
});
