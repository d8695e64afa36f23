import { z } from '../../bellhop/bellhop.ts';

import { amountFieldOf, isInexact } from '../../service/schemas/storage-event.ts';
import { numbers, texts } from '../parts/report-parts.ts';
import { readAs } from '../../text/words.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `10737418240 bytes (10.7 GB)`. Numbers too large to be exact are marked. */
function bytesText(bytes: number): string {
  return `${exactText(bytes)} bytes${bytes >= 1000 ? ` (${shortBytes(bytes)})` : ''}`;
}

const exactText = (value: number): string =>
  `${isInexact(value) ? '≈' : ''}${value.toLocaleString('en-US', { maximumFractionDigits: 0 })}`;

function shortBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[power]}`;
}

const factors: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1000,
  m: 1000 ** 2,
  g: 1000 ** 3,
  t: 1000 ** 4,
  p: 1000 ** 5,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
  ti: 1024 ** 4,
  pi: 1024 ** 5,
};

/**
 * Parses `10GB`, `1.5 TiB`, `500`: kB, MB … are powers of 1000, KiB, MiB … of 1024. Undefined for other text, fractions of
 * bytes, negative values, and more than 2⁵³−1.
 */
export function readBytes(text: string): number | undefined {
  const match = /^(\d{1,17}(?:\.\d{1,6})?)\s*([kmgtp]?i?)b?$/iu.exec(text.trim().replaceAll('_', ''));
  const factor = factors[(match?.[2] ?? 'none').toLowerCase()];
  if (!match || factor === undefined) return undefined;
  const bytes = Number(match[1]) * factor;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A typed size, parsed to bytes. */
export const amountOfBytes = z
  .string()
  .trim()
  .max(40, 'is too long for a size')
  .transform(readAs(readBytes, 'must be a size such as 10GB, 512MiB or 1500'));

/** One storage event as a row of a table. */
export interface EventRow {
  readonly kind: string;
  readonly storage: string;
  readonly bucket: string;
  readonly uuid: string;
  readonly amount: number | undefined;
  readonly unit: 'bytes' | 'count' | undefined;
}

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const record = z
  .object({ storage_name: text, bucket_name: text, uuid: text, bytes: number, count: number })
  .catch({});
const records = z.array(record).catch([]);

/** Events by kind as rows, including unknown kinds. */
export const eventRows = (byKind: object): readonly EventRow[] =>
  Object.entries(byKind).flatMap(([kind, listed]: [string, unknown]) =>
    records.parse(listed).map((event) => eventRow(kind, event)),
  );

function eventRow(kind: string, event: z.output<typeof record>): EventRow {
  const unit = amountFieldOf(kind) ?? (event.bytes === undefined ? 'count' : 'bytes');
  const amount = event[unit];
  return {
    kind,
    storage: event.storage_name ?? '?',
    bucket: event.bucket_name ?? '?',
    uuid: event.uuid ?? '',
    amount,
    unit: amount === undefined ? undefined : unit,
  };
}

/** The unit of kinds with a count. */
const counted: ReadonlyMap<string, string> = new Map([
  ['reaching_files_quantity', ' files'],
  ['reaching_used_requests', ' requests'],
]);

/** `8,000,000,000,000 bytes (8 TB)`, `1,500,000 files`. */
export function amountText({ kind, amount, unit }: Pick<EventRow, 'kind' | 'amount' | 'unit'>): string {
  if (amount === undefined) return 'not given';
  return unit === 'bytes' ? bytesText(amount) : `${exactText(amount)}${counted.get(kind) ?? ''}`;
}

export const eventColumns = [...texts('Storage', 'Bucket'), ...numbers('Limit'), ...texts('uuid')];

export const eventCells = (row: EventRow): string[] => [row.storage, row.bucket, amountText(row), row.uuid];
