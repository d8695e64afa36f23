import type { AckFn, ViewResponseAction } from '@slack/bolt';

/** What an input's own element is called; its block tells which field it is. */
export const valueAction = 'value';

/** Buttons that change how many rows a form shows. Their value: the field, or the field and the row. */
export const rowActions = { add: 'row:add', remove: 'row:remove' } as const;

/** Of the command, not of the operation's fields. */
export const reasonBlock = 'ask:reason';

/** The block of a column in a row. Rows keep their number while others come and go, and their input with it. */
export const cellBlock = (field: string, row: number, column: string): string => `${field}/${row}/${column}`;

const cell = /^([^/]+)\/(\d{1,4})\/([^/]+)$/u;

export function readCellBlock(blockId: string): { field: string; row: number; column: string } | undefined {
  const [, field, row, column] = cell.exec(blockId) ?? [];
  if (field === undefined || row === undefined || column === undefined) return undefined;
  return { field, row: Number(row), column };
}

/** The field that a block of a form belongs to: its own input, a cell of its rows, or a button of them. */
export function fieldOfBlock(blockId: string): string {
  const [, ofButton] = /^row:(?:add|remove)\/([^/]+)/u.exec(blockId) ?? [];
  return ofButton ?? readCellBlock(blockId)?.field ?? blockId;
}

/** The answer to a submitted form: nothing closes it, `clear` also what is below it. */
export type AckForm = AckFn<ViewResponseAction>;
