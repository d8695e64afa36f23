import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Comparison } from '../../bench/comparison.ts';
import { compareRuns, readRun, type Run, saveRun } from '../../bench/saved-run.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();

const line = (what: string, ratio: number, more: Partial<Comparison> = {}): Comparison => ({
  what,
  ours: ratio,
  beside: 'bare',
  other: 1,
  unit: 'ms',
  ratio,
  control: 1,
  ...more,
});

const runOf = (...comparisons: Comparison[]): Run => ({
  at: '2026-11-22T08:00:00.000Z',
  machine: 'Node v26, 2 × CPU',
  seconds: 1,
  comparisons,
  failures: [],
});

describe('a run that was saved', () => {
  it('is read as it was written', () => {
    const file = join(folder, 'run.json');
    const saved = runOf(line('ack', 1.5, { aim: { atMost: 2 }, felt: true, note: 'quiet' }));
    saveRun(file, saved);
    expect(readRun(file)).toEqual(saved);
  });

  it.each([
    ['is not there', join(folder, 'none.json'), undefined],
    ['is not a saved run', join(folder, 'other.json'), '{"at":1}'],
  ])('that %s is named in one sentence', (_, file, text) => {
    if (text !== undefined) writeFileSync(file, text);
    expect(() => readRun(file)).toThrow(
      `--compare takes a file that --json wrote; ${file} cannot be read as one.`,
    );
  });
});

const differences = (before: Comparison[], now: Comparison[]): string[] =>
  compareRuns(runOf(...before), runOf(...now))
    .split('\n')
    .slice(1);

describe('a comparison with a saved run', () => {
  it('says what got better or worse than A/A of either run allows, and counts the rest', () => {
    const before = [line('ack', 1), line('card', 2, { control: 0.8 }), line('click', 1), line('audit', 2)];
    const now = [line('ack', 1.04), line('card', 2.4), line('click', 1.2), line('audit', 1), line('new', 1)];
    expect(differences(before, now)).toEqual([
      'WORSE: click, beside bare: ratio 1.00 → 1.20 (noise ± 5 %)',
      'better: audit, beside bare: ratio 2.00 → 1.00 (noise ± 5 %)',
      '2 within noise, 1 not in the saved run.',
    ]);
  });

  it('takes more as better where more is aimed at', () => {
    const aim = { atLeast: 1.6 };
    expect(differences([line('replicas', 1, { aim })], [line('replicas', 2, { aim })])[0]).toMatch(
      /^better: /u,
    );
  });

  it('allows more if there is no A/A', () => {
    const control = undefined;
    expect(differences([line('ack', 1, { control })], [line('ack', 1.14, { control })])).toEqual([
      '1 within noise, 0 not in the saved run.',
    ]);
  });

  it('says where it ran on another machine', () => {
    expect(compareRuns(runOf(), { ...runOf(), machine: 'Node v27, 64 × CPU' })).toContain(
      'That run was on a different machine: Node v26, 2 × CPU.',
    );
  });
});
