import type { z } from 'zod';

import { type StoredTable, UnreadableRow } from '../../model/values/errors.ts';

/** Null gives undefined. */
export const jsonReader =
  (table: StoredTable, id: string | number) =>
  (field: string, text: string | null): unknown => {
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new UnreadableRow(table, id, field, 'is not JSON');
    }
  };

/** @throws UnreadableRow, which names table, id and field */
export function parseRow<S extends z.ZodType>(
  table: StoredTable,
  id: string | number,
  schema: S,
  value: unknown,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnreadableRow(table, id, issue?.path.join('.') ?? '', issue?.message ?? 'does not fit');
}

/** The schemas expect no null and undefined members. */
export const omitNulls = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/** Skips unreadable rows, so that they do not hide the others. */
export type RowReader = <R, T>(rows: readonly R[], read: (row: R) => T) => readonly T[];

/** @param onUnreadable called for each skipped row, each time */
export const createRowReader =
  (onUnreadable: (row: UnreadableRow) => void): RowReader =>
  (rows, read) =>
    rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (!(error instanceof UnreadableRow)) throw error;
        onUnreadable(error);
        return [];
      }
    });

/** PostgreSQL refuses NUL, and a lone surrogate has no UTF-8. */
export const sanitizeText = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();

export const textOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : sanitizeText(text);
