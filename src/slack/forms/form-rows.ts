import type { ActionsBlock, InputBlock, SectionBlock } from '@slack/types';
import { z } from 'zod';

import type { Field } from '../../model/registry.ts';
import { button, section } from '../render/blocks.ts';
import { safeLine } from '../render/text.ts';
import { formInput } from './form-input.ts';

/** The value of a button is the field, or the field and the row. */
export const rowActions = { add: 'row:add', remove: 'row:remove' } as const;

/** A row keeps its number, and so its input, when other rows are added or removed. */
export const cellBlock = (field: string, row: number, column: string): string => `${field}/${row}/${column}`;

const cellId = /^([^/]+)\/(\d{1,4})\/([^/]+)$/u;

export function readCellBlock(blockId: string): { field: string; row: number; column: string } | undefined {
  const [, field, row, column] = cellId.exec(blockId) ?? [];
  if (field === undefined || row === undefined || column === undefined) return undefined;
  return { field, row: Number(row), column };
}

/** The block may be the field's input, a cell of its rows, or a row button. */
export function fieldOfBlock(blockId: string): string {
  const [, ofButton] = /^row:(?:add|remove)\/([^/]+)/u.exec(blockId) ?? [];
  return ofButton ?? readCellBlock(blockId)?.field ?? blockId;
}

/** Row numbers ascend and are not reused. */
export interface FormRow {
  readonly number: number;
  readonly cells: Readonly<Record<string, unknown>>;
}

export type FormRows = Readonly<Record<string, readonly FormRow[]>>;

/** A view has at most 100 blocks. Rows take at most half. */
const maxBlocks = 50;
const maxRows = (columns: number): number => Math.min(10, Math.floor(maxBlocks / (columns + 1)));

const cellsSchema = z.record(z.string(), z.unknown()).catch({});

export function rowsOf(value: unknown): readonly FormRow[] {
  const list: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [{}];
  return list.map((cells, number) => ({ number, cells: cellsSchema.parse(cells) }));
}

export function rowBlocks(
  field: Field,
  rows: readonly FormRow[],
): (ActionsBlock | InputBlock | SectionBlock)[] {
  const most = maxRows(field.columns.length);
  const title = [`*${safeLine(field.label, 100)}*`, safeLine(field.description, 300)];
  const blocks: (ActionsBlock | InputBlock | SectionBlock)[] = [
    section(title.filter((line) => line !== '').join('\n')),
  ];
  for (const [index, { number, cells }] of rows.slice(0, most).entries()) {
    for (const column of field.columns) {
      // An empty row of an optional field is valid.
      const cell = { ...column, required: column.required && field.required };
      const blockId = cellBlock(field.name, number, column.name);
      blocks.push(formInput(cell, { blockId, value: cells[column.name], suggested: false, dispatch: false }));
    }
    blocks.push(rowButton(`Remove row ${index + 1}`, rowActions.remove, `${field.name}/${number}`));
  }
  const full = rows.length >= most;
  blocks.push(
    full
      ? section(`_A form takes at most ${most} rows._`)
      : rowButton('Add a row', rowActions.add, field.name),
  );
  return blocks;
}

const rowButton = (text: string, action: string, value: string): ActionsBlock => ({
  type: 'actions',
  block_id: `${action}/${value}`,
  elements: [button({ text, action, value })],
});

/** Unchanged by any other button. */
export function changedRows(rows: FormRows, actionId: string, value: string): FormRows {
  if (actionId === rowActions.add) {
    const shown = rows[value] ?? [];
    if (shown.length >= maxRows(1)) return rows;
    return { ...rows, [value]: [...shown, { number: (shown.at(-1)?.number ?? -1) + 1, cells: {} }] };
  }
  const [field, number] = value.split('/', 2);
  if (actionId !== rowActions.remove || field === undefined) return rows;
  return { ...rows, [field]: (rows[field] ?? []).filter((row) => row.number !== Number(number)) };
}
