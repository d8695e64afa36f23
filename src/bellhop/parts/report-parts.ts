import type { Fact, Table } from '../../model/values/report.ts';
import { writtenMoment } from '../../text/moments.ts';
import { factOf, type TextPart } from '../../text/parts.ts';

export const itemCount = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

export const countText = (count: number): string => count.toLocaleString('en-US');

type Optional<T> = T | '' | false | undefined;

export const given = (...said: readonly Optional<string | readonly string[]>[]): string[] =>
  said.flatMap((text) => text || []);

export type Row = readonly [label: string, value: Optional<string | number | TextPart | readonly TextPart[]>];

export const givenFacts = (rows: readonly Row[]): Fact[] =>
  rows.flatMap(([label, value]) => {
    if (value === undefined || value === false || value === '') return [];
    if (typeof value !== 'object') return { label, value: String(value) };
    const parts = Array.isArray(value) ? value : [value];
    return parts.length === 0 ? [] : factOf(label, parts);
  });

/** Shows a service's timestamp in the reader's zone. Text that can't be parsed is unchanged. */
export const momentOf = (written = ''): string | { at: number } => {
  const at = writtenMoment(written);
  return at === undefined ? written : { at };
};

export const texts = (...labels: readonly string[]): Table['columns'] => labels.map((label) => ({ label }));

export const numbers = (...labels: readonly string[]): Table['columns'] =>
  labels.map((label) => ({ label, numeric: true }));

/**
 * Returns one table, or none if there are no rows.
 * @param lines how each row is shown as text, for rows that people read and do not compare
 */
export const tableOf = (
  caption: string,
  columns: Table['columns'],
  rows: Table['rows'],
  lines?: Table['lines'],
): Table[] => (rows.length === 0 ? [] : [{ caption, columns, rows, lines }]);

/** Whether a call ended because the service does not have what the call names. */
export const isNotFound = (error: unknown): error is Error =>
  error instanceof Error && 'status' in error && error.status === 404;
