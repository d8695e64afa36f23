import { z } from 'zod';

import type { ServiceClient } from '../../api/client.ts';
import { operation, type RunContext } from '../../core/operation.ts';
import { replyNotes } from '../reply-notes.ts';
import { storageAccount } from './account.ts';

/** Row 9 of the interface. */
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
    return {
      title: 'Kinds of storage events',
      headline: `${structure.length} kinds`,
      tables: [
        {
          caption: 'What each kind takes',
          columns: [{ label: 'Kind' }, { label: 'Field' }, { label: 'Takes' }],
          rows: structure.flatMap((kind) =>
            (kind.fields ?? []).map((field) => [kind.name ?? '?', field.name ?? '?', field.type ?? '?']),
          ),
        },
      ],
      facts: Object.entries(reply.value.example ?? {}).map(([kind, records]) => ({
        label: `Example of ${kind}`,
        value: JSON.stringify(Array.isArray(records) ? (records[0] ?? {}) : {}),
      })),
      notes: replyNotes(reply),
    };
  },
});
