import { z } from 'zod';

import { operation } from '../../model/operation.ts';
import { eventBucket, eventName } from './event-input.ts';
import { amountText, type EventRow } from './event-rows.ts';
import {
  eventBody,
  eventFacts,
  readConfirmed,
  readEvent,
  type EventContext,
  type EventLook,
} from './stored-event.ts';

const factsOf = (event: EventRow) => eventFacts('DELETE', event);

/** `DELETE /storage/notifications/v1/event`. */
export const deleteEvent = operation({
  name: 'storage.delete',
  summary: 'Delete a storage event.',
  actionLabel: 'delete event of',
  risk: 'destructive',
  extension: 'event-changes',
  input: z.strictObject(eventName),
  examples: ['/storage delete reaching_used_space --bucket videos --storage media'],
  target: eventBucket,
  effect: ({ kind }, { name }) => `Deletes ${kind} for ${name}. No one is notified of that limit any more.`,
  preview: async (values, _target, looking: EventLook) => factsOf(await readEvent(values, looking)),
  async run(values, context: EventContext) {
    const event = await readConfirmed(values, context, factsOf);
    await context.service.deleteStorageEvent(eventBody(values, event), context);
    return event;
  },
  report: (event, { input: values }) => ({
    title: `Event deleted: ${values.kind}`,
    tone: 'good',
    facts: [
      { label: 'Storage', value: values.storage },
      { label: 'Bucket', value: values.bucket },
      { label: 'Limit', value: amountText(event) },
      { label: 'uuid', value: event.uuid },
    ],
  }),
});
