import type { ViewOutput } from '@slack/bolt';

import type { Field } from '../../model/registry.ts';
import type { FieldFault } from '../../run/forms.ts';
import { fromText } from '../../command/grammar/grammar.ts';
import { clip } from '../../text/words.ts';
import { enteredIn, reasonBlock } from './form-input.ts';
import { cellBlock, type FormRow, type FormRows, readCellBlock } from './form-rows.ts';
import { itemsOf } from '../../command/grammar/words.ts';

export interface EnteredForm {
  readonly values: Readonly<Record<string, unknown>>;
  readonly reason: string | undefined;
  /** With empty rows, to redraw the form. */
  readonly rows: FormRows;
}

/** By block_id, then by action_id. */
export type FormState = ViewOutput['state'];
/** Omits empty and hidden fields. Never throws. */
export function parseForm(state: FormState, fields: readonly Field[]): EnteredForm {
  const values: Record<string, unknown> = {};
  const rows: Record<string, readonly FormRow[]> = {};
  for (const field of fields) {
    const value = field.kind === 'rows' ? undefined : valueOf(field, enteredIn({ state }, field.name));
    if (value !== undefined) values[field.name] = value;
    if (field.kind !== 'rows') continue;
    const shown = rowsIn(field, state);
    if (shown.length > 0) rows[field.name] = shown;
    const filled = shown.map(({ cells }) => cells).filter((cells) => isFilled(cells));
    if (filled.length > 0) values[field.name] = filled;
  }
  const reason = enteredIn({ state }, reasonBlock)?.value?.trim();
  return { values, rows, reason: reason === '' ? undefined : reason };
}

function rowsIn(field: Field, state: FormState): readonly FormRow[] {
  const cells = Object.keys(state.values).map((blockId) => readCellBlock(blockId));
  const numbers = new Set(cells.flatMap((cell) => (cell?.field === field.name ? [cell.row] : [])));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((number) => ({ number, cells: cellsOf(field, number, state) }));
}

function cellsOf(field: Field, row: number, state: FormState): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  for (const column of field.columns) {
    const value = valueOf(column, enteredIn({ state }, cellBlock(field.name, row, column.name)));
    if (value !== undefined) cells[column.name] = value;
  }
  return cells;
}

/** Ignores a row of empty inputs and unchecked boxes. */
const isFilled = (cells: FormRow['cells']): boolean => Object.values(cells).some((value) => value !== false);

function valueOf(field: Field, given: ReturnType<typeof enteredIn>): unknown {
  if (!given) return undefined;
  if (field.kind === 'flag') return (given.selected_options ?? []).length > 0;
  if (given.selected_options) {
    const all = given.selected_options.map(({ value }) => fromText(field, value));
    return all.length === 0 ? undefined : all;
  }
  const text = (given.selected_option?.value ?? given.value ?? '').trim();
  if (text === '') return undefined;
  if (field.kind === 'texts' || field.kind === 'choices') {
    return text
      .split('\n')
      .flatMap((line) => itemsOf(field, line))
      .map((item) => fromText(field, item));
  }
  return fromText(field, text);
}

/**
 * The answer to a submission, each error next to its field. An error about a hidden field is next to the first input.
 * @param blockIds the block ids of the view's inputs, in order
 */
export function formErrors(
  faults: readonly FieldFault[],
  blockIds: readonly string[],
  rows: FormRows = {},
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { field, text, cell } of faults) {
    const exact = cell && cellBlockOf(field, cell, rows);
    const blockId =
      blockIds.find((id) => id === exact) ??
      blockIds.find((id) => id === field || readCellBlock(id)?.field === field) ??
      blockIds[0];
    if (blockId === undefined) continue;
    const earlier = errors[blockId];
    errors[blockId] = clip(earlier === undefined ? text : `${earlier} ${text}`, 300);
  }
  return errors;
}

/** A fault counts only filled rows, while the form may have empty rows between them. */
function cellBlockOf(
  field: string,
  { row, column }: NonNullable<FieldFault['cell']>,
  rows: FormRows,
): string | undefined {
  const filled = (rows[field] ?? []).filter(({ cells }) => isFilled(cells))[row];
  return filled && cellBlock(field, filled.number, column);
}
