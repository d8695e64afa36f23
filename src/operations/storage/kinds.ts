import { z } from 'zod';

import type { ServiceClient } from '../../service/client.ts';
import { operation, type RunContext } from '../../model/operation.ts';
import { itemCount, replyNotes, tableOf, texts } from '../parts/report-parts.ts';
import { storageAccount } from '../../command/targets.ts';
import { eventCells, eventColumns, eventRows } from './event-rows.ts';

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
