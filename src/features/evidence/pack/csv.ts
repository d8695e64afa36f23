import { csvLine } from '../../../model/values/report.ts';
import { columns, type PackRow } from './changes.ts';
import type { Lines } from './pack-files.ts';

/** RFC 4180. Lines of `linesOf` keep the carriage return. */
export const csvHeader = `${columns.join(',')}\r`;

export const csvRecord = (row: PackRow): string => `${csvLine(columns.map((column) => row[column]))}\r`;

/** Resolves to the next record, which has several lines if a cell does. */
export async function nextRecord(lines: Pick<Lines, 'next'>): Promise<string | undefined> {
  const first = await lines.next();
  if (!first) return undefined;
  let record = first.text;
  while (record.split('"').length % 2 === 0) {
    const more = await lines.next();
    if (!more) return record;
    record += `\n${more.text}`;
  }
  return record;
}

export const cellsOf = (record: string): readonly string[] =>
  [...record.replace(/\r$/u, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
    ([, quoted, plain = '']) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')),
  );
