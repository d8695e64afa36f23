import { z } from 'zod';

import type { Field } from '../../model/registry.ts';
import type { FieldFault } from '../../run/forms.ts';
import { fromText } from '../../command/grammar/grammar.ts';
import { itemsOf } from '../../command/grammar/words.ts';
import { clip } from '../render/text.ts';
import { cellBlock, readCellBlock, reasonBlock, valueAction } from './form-ids.ts';
import type { FormRow, FormRows } from './form-rows.ts';

/** A form as it was entered: what an operation's input schema reads, and what goes with the command. */
export interface EnteredForm {
  readonly values: Readonly<Record<string, unknown>>;
  readonly reason: string | undefined;
  /** As they are shown, empty ones too: to draw the form again. */
  readonly rows: FormRows;
}

const chosen = z.object({ value: z.string() });
const element = z.object({
  value: z.string().nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).nullish(),
});
/** What was entered, by block_id, then action_id. */
export interface FormState {
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
/** By block_id. */
type Elements = ReadonlyMap<string, z.output<typeof element>>;

/** Reads a view's state by the fields it was made from. What is empty or was not shown is absent. Never throws. */
export function parseForm(state: FormState | undefined, fields: readonly Field[]): EnteredForm {
  const entered = elementsOf(state);
  const values: Record<string, unknown> = {};
  const rows: Record<string, readonly FormRow[]> = {};
  for (const field of fields) {
    const value = field.kind === 'rows' ? undefined : valueOf(field, entered.get(field.name));
    if (value !== undefined) values[field.name] = value;
    if (field.kind !== 'rows') continue;
    const shown = rowsIn(field, entered);
    if (shown.length > 0) rows[field.name] = shown;
    const filled = shown.map(({ cells }) => cells).filter((cells) => isFilled(cells));
    if (filled.length > 0) values[field.name] = filled;
  }
  const reason = entered.get(reasonBlock)?.value?.trim();
  return { values, rows, reason: reason === '' ? undefined : reason };
}

function elementsOf(state: FormState | undefined): Elements {
  const entered = new Map<string, z.output<typeof element>>();
  for (const [blockId, actions] of Object.entries(state?.values ?? {})) {
    const { data } = element.safeParse(actions[valueAction]);
    if (data) entered.set(blockId, data);
  }
  return entered;
}

function rowsIn(field: Field, entered: Elements): readonly FormRow[] {
  const cells = [...entered.keys()].map((blockId) => readCellBlock(blockId));
  const numbers = new Set(cells.flatMap((cell) => (cell?.field === field.name ? [cell.row] : [])));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((number) => ({ number, cells: cellsOf(field, number, entered) }));
}

function cellsOf(field: Field, row: number, entered: Elements): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  for (const column of field.columns) {
    const value = valueOf(column, entered.get(cellBlock(field.name, row, column.name)));
    if (value !== undefined) cells[column.name] = value;
  }
  return cells;
}

/** A row of empty inputs and boxes that are not ticked is none. */
const isFilled = (cells: FormRow['cells']): boolean => Object.values(cells).some((value) => value !== false);

function valueOf(field: Field, given: z.output<typeof element> | undefined): unknown {
  if (!given) return undefined;
  if (field.kind === 'flag') return (given.selected_options ?? []).length > 0;
  if (given.selected_options) {
    const all = given.selected_options.map(({ value }) => value);
    return all.length === 0 ? undefined : all;
  }
  const text = (given.selected_option?.value ?? given.value ?? '').trim();
  if (text === '') return undefined;
  if (field.kind === 'texts' || field.kind === 'choices') {
    return text.split('\n').flatMap((line) => itemsOf(field, line));
  }
  return fromText(field, text);
}

/**
 * Errors as the answer to a submission, beside the fields they are about; one about a field that is not shown stands
 * beside the first. `blockIds`: of the view's inputs, in order.
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

/** Values hold only the rows that were filled; the form may show empty ones between them. */
function cellBlockOf(
  field: string,
  { row, column }: NonNullable<FieldFault['cell']>,
  rows: FormRows,
): string | undefined {
  const filled = (rows[field] ?? []).filter(({ cells }) => isFilled(cells))[row];
  return filled && cellBlock(field, filled.number, column);
}
