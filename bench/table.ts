import { type Comparison, type FailedRow, isMet } from './comparison.ts';

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

const lineOf = (one: Comparison): string =>
  [
    one.note === undefined ? one.what : `${one.what}; ${one.note}`,
    `${digits(one.ours)} ${one.unit}`,
    one.beside,
    `${digits(one.other)} ${one.unit}`,
    `**${one.ratio.toFixed(2)}**`,
    aimOf(one),
    verdict(one),
    one.control === undefined ? '–' : one.control.toFixed(2),
  ].join(' | ');

const failureLine = ({ row, why }: FailedRow): string =>
  `${row} | **failed**: ${why} | – | – | – | – | **not measured** | –`;

const table = (lines: readonly string[]): string =>
  [
    '| measured | Bellhop | compared with | theirs | ratio | aim | | A/A |',
    '|---|---|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');

/**
 * Tables in Markdown, with a line for each comparison. `felt` and `others` are printed: what people feel, and failed
 * rows; then the rest. `page` is for the document: what people feel, and what misses its aim.
 */
export function tables(comparisons: readonly Comparison[], failures: readonly FailedRow[] = []) {
  const felt = comparisons.filter((one) => one.felt ?? false);
  const others = comparisons.filter((one) => !(one.felt ?? false));
  const missed = others.filter((one) => isMet(one) === false);
  return {
    felt: table([...felt.map(lineOf), ...failures.map(failureLine)]),
    others: table(others.map(lineOf)),
    page: table([...felt, ...missed].map(lineOf)),
  };
}
