import { type Comparison, isMet } from './comparison.ts';
import type { FailedRow } from './measure-rows.ts';

const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const aimOf = ({ aim }: Comparison): string => {
  if (aim === undefined) return '–';
  return 'atMost' in aim ? `≤ ${aim.atMost}` : `≥ ${aim.atLeast}`;
};

const verdict = (one: Comparison): string => {
  const met = isMet(one);
  if (met === undefined) return '';
  return met ? 'met' : '**not met**';
};

/** The comparisons as a Markdown table, a line each; then a line for each row that failed. */
export function table(comparisons: readonly Comparison[], failures: readonly FailedRow[] = []): string {
  const lines = comparisons.map((one) =>
    [
      one.what,
      `${digits(one.ours)} ${one.unit}`,
      one.beside,
      `${digits(one.other)} ${one.unit}`,
      `**${one.ratio.toFixed(2)}**`,
      aimOf(one),
      verdict(one),
      one.control === undefined ? '–' : one.control.toFixed(2),
    ].join(' | '),
  );
  return [
    '| measured | Bellhop | beside | it | ratio | aim | | A/A |',
    '|---|---|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
    ...failures.map(
      ({ row, why }) => `| ${row} | **failed**: ${why} | – | – | – | – | **not measured** | – |`,
    ),
  ].join('\n');
}
