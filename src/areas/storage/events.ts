import {
  itemCount,
  nameOf,
  operation,
  type RunContext,
  type StorageTarget,
  tableOf,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import { replyNotes, type StorageClient } from './client/calls.ts';
import { eventCells, eventColumns, eventKind, type EventRow, eventRows } from './event.ts';

const notifications = (): StorageTarget => ({ kind: 'storage', name: 'storage notifications', labels: {} });

export const listEvents = operation({
  name: 'storage.events',
  summary: 'List storage events, by kind.',
  risk: 'read',
  input: z.strictObject({
    kind: z
      .array(eventKind)
      .max(20, 'takes at most 20 kinds')
      .default([])
      .describe('Only these kinds.')
      .meta({ positional: true, placeholder: 'reaching_used_space' }),
    storage: nameOf('a storage').optional().describe('Only in this storage.'),
    bucket: nameOf('a bucket').optional().describe('Only in this bucket.'),
  }),
  examples: ['/storage events', '/storage events reaching_used_space --bucket media'],
  target: notifications,
  async run(input, context: RunContext<StorageTarget, StorageClient>) {
    const reply = await context.service.listStorageEvents(context);
    const all = eventRows(reply.value);
    return { reply, all: all.length, rows: all.filter((row) => wanted(row, input)) };
  },
  report: ({ reply, all, rows }) => ({
    title: 'Storage events',
    headline: headline(rows.length, all),
    tables: [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, own]) => ({
      caption: `${kind}: ${own.length}`,
      columns: eventColumns,
      rows: own.map(eventCells),
    })),
    notes: replyNotes(reply),
    csv: rows.length === 0 ? undefined : csvOf(rows),
  }),
});

function headline(found: number, all: number): string {
  if (found === all) return itemCount(all, 'event');
  return `${found || 'None'} of ${all} events ${found === 1 ? 'matches' : 'match'}`;
}

const csvOf = (rows: readonly EventRow[]) => ({
  fileName: 'storage-events.csv',
  columns: ['kind', 'storage_name', 'bucket_name', 'uuid', 'amount', 'unit'],
  rows: rows.map((row) => [
    row.kind,
    row.storage,
    row.bucket,
    row.uuid,
    String(row.amount ?? ''),
    row.unit ?? '',
  ]),
});

const wanted = (
  row: EventRow,
  input: { kind: readonly string[]; storage?: string | undefined; bucket?: string | undefined },
) =>
  (input.kind.length === 0 || input.kind.includes(row.kind)) &&
  (input.storage === undefined || row.storage === input.storage) &&
  (input.bucket === undefined || row.bucket === input.bucket);

export const listKinds = operation({
  name: 'storage.kinds',
  summary: 'Show the kinds of storage events and their fields.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/storage kinds'],
  target: notifications,
  run: (_input, context: RunContext<StorageTarget, StorageClient>) =>
    context.service.describeStorageEvents(context),
  report(reply) {
    const structure = reply.value.structure ?? [];
    const examples = eventRows(reply.value.example ?? {});
    return {
      title: 'Kinds of storage events',
      headline: itemCount(structure.length, 'kind'),
      tables: [
        {
          caption: 'Fields of each kind',
          columns: texts('Kind', 'Fields'),
          rows: structure.map(({ name, fields }) => [
            name ?? '?',
            (fields ?? []).map((field) => `${field.name ?? '?'} (${field.type ?? '?'})`).join(', '),
          ]),
        },
        ...tableOf(
          'Examples from the service',
          [...texts('Kind'), ...eventColumns],
          examples.map((row) => [row.kind, eventCells(row)].flat()),
        ),
      ],
      notes: replyNotes(reply),
    };
  },
});
