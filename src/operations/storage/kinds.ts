import { z } from 'zod';

import type { ServiceClient } from '../../service/client.ts';
import { operation, type RunContext } from '../../model/operation.ts';
import { itemCount } from '../parts/report-text.ts';
import { replyNotes } from '../parts/report-text.ts';
import { storageAccount } from '../parts/targets.ts';
import { eventCells, eventColumns, eventRows, type EventRow } from './event-rows.ts';

/** `GET /storage/notifications/v1/events/configurator`. */
export const kinds = operation({
  name: 'storage.kinds',
  summary: 'Show which storage events there are and what each takes.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/storage kinds'],
  target: () => storageAccount,
  run: (_input, context: RunContext<typeof storageAccount, ServiceClient>) =>
    context.service.describeStorageEvents(context),
  report(reply) {
    const structure = reply.value.structure ?? [];
    const examples = eventRows(reply.value.example ?? {});
    return {
      title: 'Kinds of storage events',
      headline: itemCount(structure.length, 'kind', 'kinds'),
      tables: [
        {
          caption: 'What each kind takes',
          columns: [{ label: 'Kind' }, { label: 'Fields' }],
          rows: structure.map(({ name, fields }) => [
            name ?? '?',
            (fields ?? []).map((field) => `${field.name ?? '?'} (${field.type ?? '?'})`).join(', '),
          ]),
        },
        ...(examples.length === 0 ? [] : [exampleTable(examples)]),
      ],
      notes: replyNotes(reply),
    };
  },
});

const exampleTable = (examples: readonly EventRow[]) => ({
  caption: 'Examples from the service',
  columns: [{ label: 'Kind' }, ...eventColumns],
  rows: examples.map((row) => [row.kind, ...eventCells(row)]),
});
