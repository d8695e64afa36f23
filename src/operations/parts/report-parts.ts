import type { Fact, Table } from '../../bellhop/bellhop.ts';
import { factOf, type TextPart } from '../../text/parts.ts';
import type { Reply } from '../../service/errors/reply.ts';

/** The unreadable parts of a reply, for the small print of a report. */
export const replyNotes = ({ problems }: Pick<Reply<unknown>, 'problems'>): string[] =>
  problems
    .slice(0, 5)
    .map((problem) => `Unreadable in the reply: ${problem}`)
    .concat(problems.length > 5 ? [`…and ${problems.length - 5} more unreadable fields.`] : []);

/** `1 rule`, `10,000 rules` */
export const itemCount = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** `10,000` */
export const countText = (count: number): string => count.toLocaleString('en-US');

/** A note that a list is incomplete. */
export const incompleteNote = (listed: number, count: number): string[] =>
  listed < count ? [`This list is incomplete: it has ${countText(listed)} of ${countText(count)}.`] : [];

/** What a report may not have to say. */
type Optional<T> = T | '' | false | undefined;

/** The texts that are given, such as the small print of a report. */
export const given = (...said: readonly Optional<string | readonly string[]>[]): string[] =>
  said.flatMap((text) => text || []);

export type Row = readonly [label: string, value: Optional<string | number | TextPart | readonly TextPart[]>];

/** A fact for each value that is given. */
export const givenFacts = (rows: readonly Row[]): Fact[] =>
  rows.flatMap(([label, value]) => {
    if (value === undefined || value === false || value === '') return [];
    if (typeof value !== 'object') return { label, value: String(value) };
    const parts = Array.isArray(value) ? value : [value];
    return parts.length === 0 ? [] : factOf(label, parts);
  });

export const yesOrNo = (flag: boolean | undefined): string | undefined =>
  flag === undefined ? undefined : flag ? 'yes' : 'no';

/** A service's timestamp, shown in the reader's zone; unchanged if it can't be parsed. */
export const momentOf = (written = ''): string | { at: number } => {
  const at = Date.parse(written);
  return Number.isNaN(at) ? written : { at };
};

/** Columns of text. */
export const texts = (...labels: readonly string[]): Table['columns'] => labels.map((label) => ({ label }));

/** Columns of numbers. */
export const numbers = (...labels: readonly string[]): Table['columns'] =>
  labels.map((label) => ({ label, numeric: true }));

/** One table; none if it has no rows. @param lines how each row is shown as text, for what people read and do not compare */
export const tableOf = (
  caption: string,
  columns: Table['columns'],
  rows: Table['rows'],
  lines?: Table['lines'],
): Table[] => (rows.length === 0 ? [] : [{ caption, columns, rows, lines }]);

/** Whether a call ended because the service does not have what it names. */
export const isNotFound = (error: unknown): error is Error =>
  error instanceof Error && 'status' in error && error.status === 404;
