import { z } from 'zod';

import { csvLine } from '../../../model/values/report.ts';
import type { Lines } from './faults.ts';

/** The columns of changes.csv. */
export const columns = [
  'change',
  'at',
  'operation',
  'target',
  'labels',
  'requester',
  'place',
  'rule',
  'approvers',
  'break_glass',
  'reviewer',
  'outcome',
  'settled_by',
  'reason',
  'entries',
] as const;
const row = z.record(z.enum(columns), z.string());
export type PackRow = Readonly<z.output<typeof row>>;

/** RFC 4180. Lines of a pack keep the carriage return. */
export const csvHeader = `${columns.join(',')}\r`;

export const csvRecord = (cells: PackRow): string => `${csvLine(columns.map((column) => cells[column]))}\r`;

/** Reads what `csvRecord` wrote: cells that a spreadsheet would run keep their apostrophe, and missing ones are empty. */
export function rowOfRecord(record: string): PackRow {
  const cells = [...record.replace(/\r$/u, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
    ([, quoted, plain = '']) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')),
  );
  return row.parse(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])));
}

/** Resolves to the next record, which has several lines if a cell does. */
export async function nextRecord(lines: Pick<Lines, 'next'>): Promise<string | undefined> {
  let record = (await lines.next())?.text;
  while (record !== undefined && record.split('"').length % 2 === 0) {
    const more = await lines.next();
    if (!more) return record;
    record += `\n${more.text}`;
  }
  return record;
}

/** Brackets and semicolons, which separate the parts of a cell, the characters that look like them, and invisible ones. */
const imitating = /[\p{Ps}\p{Pe};；﹔\u037E\p{C}]/gu;

/** A name that can't be mistaken for another part of its cell. */
export const nameInRow = (name: string): string =>
  name.replaceAll(imitating, ' ').replaceAll(/ {2,}/gu, ' ').trim();
