import { describe, expect, it } from 'vitest';

import type { Comparison } from '../../bench/comparison.ts';
import { measureRows } from '../../bench/measure-rows.ts';
import { tables } from '../../bench/table.ts';

const figures: Comparison = { what: 'an ack', ours: 2, beside: 'bare', other: 1, unit: 'ms', ratio: 2 };

/** Rows that take 40 s each, of which the second fails. */
function bench() {
  let now = 0;
  const said: string[] = [];
  const within: number[] = [];
  const runner = {
    measure: (row: string, withinMs: number) => {
      now += 40_000;
      within.push(withinMs);
      return row === 'memory' ? Promise.reject(new Error('stopped after 90 s')) : Promise.resolve([figures]);
    },
    say: (line: string) => void said.push(line),
    now: () => now,
  };
  return { runner, said, within };
}

describe('a row of the bench that fails', () => {
  const { runner, said } = bench();
  const measured = measureRows(['ack', 'memory', 'audit'], runner, { row: 90_000, all: 600_000 });

  it('leaves the others as they are, and is a line of the first table', async () => {
    const { comparisons, failures } = await measured;
    expect(comparisons).toHaveLength(2);
    const { felt, others } = tables(comparisons, failures);
    const lines = `${felt}\n${others}`.split('\n');
    expect(felt.split('\n').at(-1)).toContain('| memory | **failed**: stopped after 90 s |');
    expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1);
  });

  it('is printed at once, like the progress of the bench', async () => {
    await measured;
    expect(said).toEqual([
      '1 of 3: ack …',
      'ack: 40 s',
      '2 of 3: memory …',
      'memory FAILED: stopped after 90 s',
      '3 of 3: audit …',
      'audit: 40 s',
    ]);
  });
});

describe('the time of the whole bench', () => {
  it('bounds its last row, and the rows after it are said as not measured', async () => {
    const { runner, within } = bench();
    const { comparisons, failures } = await measureRows(['ack', 'audit', 'steps', 'click'], runner, {
      row: 30_000,
      all: 100_000,
    });
    expect(within).toEqual([30_000, 30_000, 20_000]);
    expect(comparisons).toHaveLength(3);
    expect(failures).toEqual([
      { row: 'click', why: "the bench's 100 s were up; run it alone with --rows click" },
    ]);
  });
});

const linesOf = (table: string): readonly string[] => table.split('\n').slice(2);

describe('the tables', () => {
  const felt = { ...figures, felt: true, aim: { atMost: 3 }, note: 'on a quiet day' };
  const missed = { ...figures, what: 'a flush', aim: { atMost: 1 } };
  const met = { ...figures, what: 'a sweep', aim: { atLeast: 1 } };
  const aimless = { ...figures, what: 'memory' };
  const printed = tables([missed, met, aimless, felt]);
  const feltLine = '| an ack; on a quiet day | 2.00 ms | bare | 1.00 ms | **2.00** | ≤ 3 | met | – |';
  const missedLine = '| a flush | 2.00 ms | bare | 1.00 ms | **2.00** | ≤ 1 | **not met** | – |';

  it('have the times that people notice in the first one, and the rest in the second', () => {
    expect(linesOf(printed.felt)).toEqual([feltLine]);
    expect(linesOf(printed.others)).toEqual([
      missedLine,
      expect.stringContaining('a sweep'),
      expect.stringContaining('memory'),
    ]);
  });

  it('have the times that people notice and the missed aims in the page’s', () => {
    expect(linesOf(printed.page)).toEqual([feltLine, missedLine]);
  });
});
