import type { RawNumberElement, RawTextElement } from '@slack/types';

import type { Table } from '../core/report.ts';
import { type MessageBlock, preformatted, section } from './blocks.ts';
import { plainLine, safeLine } from './escape.ts';
import { limits } from './limits.ts';
import { numberText } from './number-text.ts';
import { textGrid } from './text-grid.ts';

/** Rows `from` up to but not including `to` of a table. */
export interface TableSlice {
  readonly table: Table;
  readonly from: number;
  readonly to: number;
}

type Cell = string | number;

const longestCell = 200;
const longestColumnLabel = 60;

/** A table's caption with the rows that are shown, then the rows: as a native table or as monospaced text. */
export function renderTable({ table, from, to }: TableSlice, modern: boolean): MessageBlock[] {
  const total = table.rows.length;
  const caption = `*${safeLine(table.caption, 300) || 'Table'}*`;
  if (total === 0) return [section(`${caption}\nNothing to show.`)];
  const columns = table.columns.slice(0, limits.tableColumns);
  const left = table.columns.length - columns.length;
  const parts = [
    caption,
    ...(to - from < total ? [`rows ${from + 1}–${to} of ${numberText(total)}`] : []),
    ...(left > 0 ? [`the first ${columns.length} of ${table.columns.length} columns`] : []),
  ];
  const rows = table.rows.slice(from, to);
  const body = modern ? nativeTable({ ...table, columns, rows }) : plainTable({ ...table, columns, rows });
  return [section(parts.join(' · ')), body];
}

function nativeTable({ caption, columns, rows }: Table): MessageBlock {
  return {
    type: 'data_table',
    caption: plainLine(caption, 300),
    page_size: Math.max(1, Math.min(rows.length, limits.tableRows)),
    rows: [
      columns.map((column) => rawText(plainLine(column.label, longestColumnLabel))),
      ...rows.map((row) => columns.map((_, index) => rawCell(row[index] ?? ''))),
    ],
  };
}

const rawText = (text: string): RawTextElement => ({ type: 'raw_text', text });

const rawCell = (cell: Cell): RawTextElement | RawNumberElement =>
  typeof cell === 'number' && Number.isFinite(cell)
    ? { type: 'raw_number', value: cell, text: numberText(cell) }
    : rawText(cellText(cell));

const cellText = (cell: Cell): string =>
  typeof cell === 'number' ? numberText(cell) : plainLine(cell, longestCell);

function plainTable({ columns, rows }: Table): MessageBlock {
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

/** What a row adds to the text of a message, at most. */
export const rowLength = (row: readonly Cell[]): number =>
  row.slice(0, limits.tableColumns).reduce<number>((sum, cell) => sum + cellText(cell).length, 0);

/** What a table adds to the text of a message before its first row, at most. */
export const tableHeadLength = (table: Table): number =>
  Math.min(300, table.caption.length * 5) * 2 +
  100 +
  table.columns.reduce((sum, column) => sum + Math.min(longestColumnLabel, column.label.length), 0);
