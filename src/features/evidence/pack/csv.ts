import { z } from 'zod';

import { csvLine } from '../../../model/values/report.ts';
import type { Lines } from './faults.ts';

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

/** A cell that a spreadsheet would run keeps its apostrophe. Missing cells are empty. */
export function rowOfRecord(record: string): PackRow {
  const cells = [...record.replace(/\r$/u, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
    ([, quoted, plain = '']) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')),
  );
  return row.parse(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])));
}

/** Bounds a hostile file, and a record that never ends because of a quotation mark. Records have a few thousand characters. */
const longestRecord = 1_000_000;

/** A record has several lines if a cell does. */
export async function nextRecord(lines: Pick<Lines, 'next' | 'fail'>): Promise<string | undefined> {
  const parts: string[] = [];
  let [length, isOpen] = [0, true];
  while (isOpen) {
    const line = await lines.next();
    if (!line && parts.length === 0) return undefined;
    length += line?.length ?? Infinity;
    if (!line || length > longestRecord) {
      const start = (parts[0] ?? line?.text ?? '').slice(0, 64);
      return lines.fail(
        `The row that starts with “${start}” has no end, or is too long. A quotation mark may have been altered.`,
      );
    }
    parts.push(line.text);
    // The lines before have an odd number of quotation marks in total, so a line with an odd number ends the record.
    isOpen = (line.text.split('"').length % 2 === 0) === (parts.length === 1);
  }
  return parts.join('\n');
}

/**
 * Brackets and semicolons, because they separate the parts of a cell. Also characters that look like them, and
 * invisible ones.
 */
const imitating = /[\p{Ps}\p{Pe};；﹔\u037E\p{C}]/gu;

export const nameInRow = (name: string): string =>
  name.replaceAll(imitating, ' ').replaceAll(/ {2,}/gu, ' ').trim();
