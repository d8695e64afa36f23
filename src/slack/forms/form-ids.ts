import type { AckFn, ViewOutput, ViewResponseAction } from '@slack/bolt';

/** The action id of every input; its block identifies the field. */
export const valueAction = 'value';

/** What was entered in a block of a form. Its shape was checked when it was received. */
export const enteredIn = ({ state }: Pick<ViewOutput, 'state'>, block: string) =>
  state.values[block]?.[valueAction];

/** Buttons that change how many rows a form shows. Their value: the field, or the field and the row. */
export const rowActions = { add: 'row:add', remove: 'row:remove' } as const;

/** An input of the command, not of the operation. */
export const reasonBlock = 'ask:reason';

/** The block of a column in a row. A row keeps its number, and so its input, when others are added or removed. */
export const cellBlock = (field: string, row: number, column: string): string => `${field}/${row}/${column}`;

const cell = /^([^/]+)\/(\d{1,4})\/([^/]+)$/u;

export function readCellBlock(blockId: string): { field: string; row: number; column: string } | undefined {
  const [, field, row, column] = cell.exec(blockId) ?? [];
  if (field === undefined || row === undefined || column === undefined) return undefined;
  return { field, row: Number(row), column };
}

/** The field that a block belongs to: its input, a cell of its rows, or a row button. */
export function fieldOfBlock(blockId: string): string {
  const [, ofButton] = /^row:(?:add|remove)\/([^/]+)/u.exec(blockId) ?? [];
  return ofButton ?? readCellBlock(blockId)?.field ?? blockId;
}

/** The answer to a submitted form: empty closes it, `clear` also closes the forms below. */
export type AckForm = AckFn<ViewResponseAction>;
