import type { Cell, Fact, Report } from '../../src/model/values/report.ts';
import { plainPart } from '../../src/text/parts.ts';

/** A report as someone would read it aloud, for inline snapshots. */
export function reportText({ title, tone, headline, facts, charts, tables, notes, csv }: Report): string {
  return [
    `# ${title}${tone === 'neutral' ? '' : ` (${tone})`}`,
    ...(headline === undefined ? [] : [headline]),
    ...factLines(facts),
    ...charts.map(
      (chart) => `[${chart.kind} chart: ${chart.title}, ${chart.unit}, ${chart.labels.length} points]`,
    ),
    ...tables.flatMap((table) => [
      `${table.caption}:`,
      ...[table.columns.map(({ label }) => label), ...table.rows.slice(0, 5)].map(
        (cells) => `  | ${cells.map(cellWords).join(' | ')}`,
      ),
      ...(table.rows.length > 5 ? [`  … ${table.rows.length} rows`] : []),
    ]),
    ...notes.map((note) => `(${note})`),
    ...(csv === undefined ? [] : [`[${csv.fileName}: ${csv.rows.length} rows of ${csv.columns.join(',')}]`]),
  ].join('\n');
}

/** The text of a cell without a name. */
export const cellWords = (cell: Cell | undefined): string =>
  typeof cell === 'number' ? String(cell) : plainPart(cell ?? '');

export const factLines = (facts: readonly Fact[]): string[] =>
  facts.map(({ label, value }) => `- ${label}: ${value.replaceAll('\n', ' ⏎ ')}`);
