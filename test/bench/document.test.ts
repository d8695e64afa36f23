import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8');

const cellsOf = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());

/** The first cells of the lines of a table, without what a note says of one run. */
const named = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => cellsOf(line)[1]?.split(';', 1)[0] ?? '');

it('docs/benchmarks.md tells why of every aim that is missed', () => {
  const [, run = ''] = page.split('<!-- bench -->');
  const [, reasons = ''] = page.split('## Aims that are missed, and why');
  const missed = named(run.split('\n').filter((line) => line.includes('**not met**')));
  const explained = named(reasons.split('\n').filter((line) => line.startsWith('| ')));
  expect(missed.filter((what) => !explained.includes(what))).toEqual([]);
});
