import { z } from 'zod';

import { amountFieldOf } from '../../service/schemas/storage-event.ts';
import { numbers, texts } from '../parts/report-parts.ts';
import { bytesText, exactText } from './units.ts';

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

/** Events by kind as rows, kinds that we do not know too. */
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

/** What the kinds count that count anything. */
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
