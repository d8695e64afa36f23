import { describe, expect, it } from 'vitest';

import type { Comparison } from '../../bench/comparison.ts';
import { measureRows } from '../../bench/measure-rows.ts';
import { table } from '../../bench/table.ts';

const figures: Comparison = { what: 'an ack', ours: 2, beside: 'bare', other: 1, unit: 'ms', ratio: 2 };

describe('a row of the bench that fails', () => {
  const said: string[] = [];
  const measured = measureRows(
    ['ack', 'memory', 'audit'],
    (row) =>
      row === 'memory' ? Promise.reject(new Error('it was ended (SIGTERM)')) : Promise.resolve([figures]),
    (line) => void said.push(line.replace(/\d+ s$/u, '… s')),
  );

  it('leaves the others as they are, and is a line of the table', async () => {
    const { comparisons, failures } = await measured;
    expect(comparisons).toHaveLength(2);
    const lines = table(comparisons, failures).split('\n');
    expect(lines.at(-1)).toContain('| memory | **failed**: it was ended (SIGTERM) |');
    expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1);
  });

  it('is said at once, as is how far the bench is', async () => {
    await measured;
    expect(said).toEqual([
      '1 of 3: ack …',
      'ack: … s',
      '2 of 3: memory …',
      'memory FAILED: it was ended (SIGTERM)',
      '3 of 3: audit …',
      'audit: … s',
    ]);
  });
});
