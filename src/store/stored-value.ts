import type { z } from 'zod';

import { BellhopError } from '../core/errors.ts';

/** A row that is not what was written: edited by hand, or by a version that knew more. */
export class UnreadableRow extends BellhopError {
  readonly row: string | number;
  readonly why: string;

  constructor(table: string, id: string | number, field: string, why: string) {
    super(
      'store-unavailable',
      `The row ${id} of the table “${table}” cannot be read: ${field}: ${why}. ` +
        'Restore it from a backup, or look at who edited it; `npm run audit -- verify` checks the record.',
    );
    this.row = id;
    this.why = `${field}: ${why}`;
  }
}

/** Reads JSON text of one row's columns; null gives undefined. */
export const jsonReader =
  (table: string, id: string | number) =>
  (field: string, text: string | null): unknown => {
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new UnreadableRow(table, id, field, 'is not JSON');
    }
  };

/** Parses what a row holds. @throws UnreadableRow naming table, id and field */
export function fitting<S extends z.ZodType>(
  table: string,
  id: string | number,
  schema: S,
  value: unknown,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnreadableRow(table, id, issue?.path.join('.') ?? '', issue?.message ?? 'does not fit');
}

/** Without the members that are null or undefined, as the schemas of core have them. */
export const present = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
