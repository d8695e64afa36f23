import type { RawNumberElement, RawTextElement, RichTextBlock } from '@slack/types';

import { clip } from '../../text/words.ts';
import type { Cell, Table } from '../../model/values/report.ts';
import { type MessageBlock, preformatted, section } from './blocks.ts';
import { mrkdwnPart, plainLine, richCell, safeLine } from './text.ts';
import { limits } from './limits.ts';
import { plainPart } from '../../text/parts.ts';

export interface TableSlice {
  readonly table: Table;
  readonly from: number;
  readonly to: number;
  readonly native: boolean;
}

const longestCell = 200;
const longestColumnLabel = 60;

/**
 * A caption with the range of rows, then a native table or monospaced text. Tables with people or times become lines, because monospaced
 * text can't show those.
 */
export function renderTable({ table, from, to, native }: TableSlice): MessageBlock[] {
  const total = table.rows.length;
  const title = `*${safeLine(table.caption, 300) || 'Table'}*`;
  if (total === 0) return [section(`${title}\nNothing to show.`)];
  const columns = table.columns.slice(0, limits.tableColumns);
  const left = table.columns.length - columns.length;
  const shown = [
    ...(to - from < total ? [`${span(from, to)} of ${numberText(total)}`] : []),
    ...(left > 0 ? [`the first ${columns.length} of ${table.columns.length} columns`] : []),
  ];
  const rows = table.rows.slice(from, to);
  if (native) return [nativeTable([plainLine(table.caption, 300), ...shown].join(' · '), columns, rows)];
  const heading = section([title, ...shown].join(' · '));
  return isLines(table) ? [heading, ...rowSections(table, rows)] : [heading, plainTable(columns, rows)];
}

const span = (from: number, to: number): string => (to - from === 1 ? `row ${to}` : `rows ${from + 1}–${to}`);

function nativeTable(caption: string, columns: Table['columns'], rows: Table['rows']): MessageBlock {
  return {
    type: 'data_table',
    caption,
    page_size: Math.max(1, Math.min(rows.length, limits.tableRows)),
    rows: [
      columns.map((column) => rawText(plainLine(column.label, longestColumnLabel))),
      ...rows.map((row) => columns.map((_, index) => rawCell(row[index] ?? ''))),
    ],
  };
}

const rawText = (text: string): RawTextElement => ({ type: 'raw_text', text });

function rawCell(cell: Cell): RawTextElement | RawNumberElement | RichTextBlock {
  if (typeof cell === 'object') return richCell(cell);
  return typeof cell === 'number' && Number.isFinite(cell)
    ? { type: 'raw_number', value: cell, text: numberText(cell) }
    : rawText(cellText(cell));
}

const cellText = (cell: Cell): string =>
  typeof cell === 'number' ? numberText(cell) : plainLine(plainPart(cell), longestCell);

const isLines = ({ lines, rows }: Table): boolean =>
  lines !== undefined ? lines !== false : rows.some((row) => row.some((cell) => typeof cell === 'object'));

function rowSections(table: Table, rows: Table['rows']): MessageBlock[] {
  const lines = rows.map((row) => rowLine(table, row));
  const sections: string[] = [];
  for (const line of lines) {
    const longer = `${sections.at(-1) ?? ''}\n${line}`;
    if (sections.length > 0 && longer.length <= limits.text) sections[sections.length - 1] = longer;
    else sections.push(line);
  }
  return sections.map((text) => section(text));
}

/** As many whole cells as fit. Numbers and times get their column's name, unless the table was made for lines. */
function rowLine({ lines = false, columns }: Table, row: readonly Cell[]): string {
  let line = '•';
  for (const [index, cell] of row.slice(0, limits.tableColumns).entries()) {
    if (cell === '') continue;
    const text = typeof cell === 'object' ? mrkdwnPart(cell) : safeLine(cellText(cell), longestCell);
    const bare = typeof cell === 'number' || (typeof cell === 'object' && 'at' in cell);
    const label = lines === false && bare && index > 0 ? columns[index]?.label : undefined;
    const name = label === undefined ? '' : `${safeLine(label, longestColumnLabel)} `;
    const shown = lines === true && index === 0 ? `*${text}*` : name + text;
    if (line.length + shown.length + 3 > limits.text) break;
    line += line === '•' || lines === 'sentences' ? ` ${shown}` : ` · ${shown}`;
  }
  return line;
}

function plainTable(columns: Table['columns'], rows: Table['rows']): MessageBlock {
  const texts = [
    columns.map((column) => column.label),
    ...rows.map((row) => columns.map((_, index) => cellText(row[index] ?? ''))),
  ];
  return preformatted(
    textGrid(
      texts,
      columns.map((column) => column.numeric ?? false),
    ),
  );
}

/** By row index: the most characters that a row adds to a message. */
export function rowLengths(table: Table, native: boolean): (row: number) => number {
  if (native) return (row) => sum(cellLengths(table.rows[row] ?? []));
  if (isLines(table)) return (row) => rowLine(table, table.rows[row] ?? []).length + 1;
  // As text, every row is as wide as the widest cell of each column.
  const widths: number[] = [];
  for (const row of table.rows) {
    for (const [column, length] of cellLengths(row).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widestCell, length));
    }
  }
  const width = sum(columnLabels(table).map((label, column) => Math.max(label, widths[column] ?? 0) + 2));
  return () => width;
}

/** The most characters before the first row: caption and column names. */
export function tableHeadLength(table: Table, native: boolean): number {
  const labels = native || isLines(table) ? sum(columnLabels(table)) : rowLengths(table, false)(0);
  return Math.min(300, table.caption.length * 5) + 100 + labels;
}

const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);

const cellLengths = (row: readonly Cell[]): number[] =>
  row.slice(0, limits.tableColumns).map((cell) => cellText(cell).length);

const columnLabels = (table: Table): number[] =>
  table.columns
    .slice(0, limits.tableColumns)
    .map(({ label }) => Math.min(longestColumnLabel, plainLine(label, longestColumnLabel).length));

const widestCell = 40;

/** Numbers are aligned right. Cells wider than 40 characters end in `…`. */
export function textGrid(rows: readonly (readonly string[])[], rightAligned: readonly boolean[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === '' ? '' : plainLine(cell, widestCell))));
  const widths = rightAligned.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, (row[column] ?? '').length), 0),
  );
  return cells
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = clip(row[column] ?? '', width);
          return rightAligned[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

let format: Intl.NumberFormat | undefined;

/** For example `1,234,567.5`. The formatter takes 10 MB, so it is created on first use. */
export const numberText = (value: number): string =>
  (format ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })).format(value);
