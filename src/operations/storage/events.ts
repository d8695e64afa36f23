import { z } from 'zod';

import type { ServiceClient } from '../../api/client.ts';
import { amountFieldOf, eventKindNames, type StorageEventsRead } from '../../api/schemas/storage-event.ts';
import { operation, type RunContext } from '../../core/operation.ts';
import { replyNotes } from '../reply-notes.ts';
import { storageAccount } from './account.ts';
import { bytesText, exactText } from './units.ts';

interface Row {
  readonly kind: string;
  readonly storage: string;
  readonly bucket: string;
  readonly amount: number | undefined;
  readonly uuid: string;
}

const filter = (what: string) =>
  z.string().trim().min(1).max(255).optional().describe(`Only of this ${what}.`);

/** Row 10 of the interface. */
export const events = operation({
  name: 'storage.events',
  summary: 'List storage events, by kind.',
  risk: 'read',
  input: z.strictObject({
    kind: z
      .array(z.enum(eventKindNames, `is one of ${eventKindNames.join(', ')}`))
      .default([])
      .describe('Only these kinds.')
      .meta({ positional: true, placeholder: 'reaching_used_space' }),
    storage: filter('storage'),
    bucket: filter('bucket'),
  }),
  examples: ['/storage events', '/storage events reaching_used_space --bucket media'],
  target: () => storageAccount,
  async run(input, context: RunContext<typeof storageAccount, ServiceClient>) {
    const reply = await context.service.listStorageEvents(context);
    const all = rowsOf(reply.value);
    return { reply, all: all.length, rows: all.filter((row) => wanted(row, input)) };
  },
  report: ({ reply, all, rows }) => ({
    title: 'Storage events',
    headline: rows.length === all ? `${all} events` : `${rows.length} of ${all} events`,
    tables: kindsOf(rows).map((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      return {
        caption: `${kind}: ${own.length}`,
        columns: [
          { label: 'Storage' },
          { label: 'Bucket' },
          { label: 'Limit', numeric: true },
          { label: 'uuid' },
        ],
        rows: own.map((row) => [row.storage, row.bucket, amountText(row), row.uuid]),
      };
    }),
    notes: replyNotes(reply),
    csv: {
      fileName: 'storage-events.csv',
      columns: ['kind', 'storage_name', 'bucket_name', 'uuid', 'amount', 'unit'],
      rows: rows.map((row) => [
        row.kind,
        row.storage,
        row.bucket,
        row.uuid,
        row.amount ?? '',
        amountFieldOf(row.kind) ?? '',
      ]),
    },
  }),
});

const kindsOf = (rows: readonly Row[]): readonly string[] => [...new Set(rows.map(({ kind }) => kind))];

const wanted = (
  row: Row,
  input: { kind: readonly string[]; storage?: string | undefined; bucket?: string | undefined },
) =>
  (input.kind.length === 0 || input.kind.includes(row.kind)) &&
  (input.storage === undefined || row.storage === input.storage) &&
  (input.bucket === undefined || row.bucket === input.bucket);

function amountText({ kind, amount }: Row): string {
  if (amount === undefined) return 'not given';
  return amountFieldOf(kind) === 'bytes' ? bytesText(amount) : exactText(amount);
}

const rowsOf = (listed: StorageEventsRead): readonly Row[] =>
  eventKindNames.flatMap((kind) =>
    (listed[kind] ?? []).map((record) => ({
      kind,
      storage: record.storage_name ?? '?',
      bucket: record.bucket_name ?? '?',
      amount: 'bytes' in record ? record.bytes : 'count' in record ? record.count : undefined,
      uuid: record.uuid ?? '',
    })),
  );
