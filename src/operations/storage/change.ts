import { amountFieldOf } from '../../service/schemas/storage-event.ts';
import { operation, refused, z } from '../../bellhop/bellhop.ts';
import { checkLimit, eventBucket, eventLimit, eventName, limitText } from './event-input.ts';
import { type EventRow, amountText } from './event-rows.ts';
import {
  type EventContext,
  type EventLook,
  eventBody,
  eventFacts,
  readConfirmed,
  readEvent,
} from './stored-event.ts';

const input = z.strictObject({ ...eventName, ...eventLimit }).check(checkLimit);

type Input = z.output<typeof input>;

const factsOf = (values: Input, event: EventRow) => [
  ...eventFacts('PUT', event),
  { label: 'New limit', value: limitText(values) },
];

/** `PUT /storage/notifications/v1/event`. */
export const change = operation({
  name: 'storage.change',
  summary: 'Change the limit of a storage event.',
  actionLabel: 'change event of',
  risk: 'change',
  extension: 'event-changes',
  input,
  examples: [
    '/storage change reaching_used_space --bucket videos --storage media --bytes 9TB',
    '/storage change reaching_files_quantity --bucket cdn-raw --storage logs --count 2000000',
  ],
  target: eventBucket,
  effect: (values, { name }) => `Sets the limit of ${values.kind} for ${name} to ${limitText(values)}.`,
  async preview(values, _target, looking: EventLook) {
    const event = await readEvent(values, looking);
    if (event.amount !== (values.bytes ?? values.count)) return factsOf(values, event);
    throw refused(`The limit is already ${amountText(event)}. Nothing was done.`);
  },
  async run(values, context: EventContext) {
    const event = await readConfirmed(values, context, (now) => factsOf(values, now));
    await context.service.changeStorageEvent(eventBody(values, event, values), context);
    return event;
  },
  report: (event, { input: values }) => ({
    title: `Event changed: ${values.kind}`,
    tone: 'good',
    facts: [
      { label: 'Storage', value: values.storage },
      { label: 'Bucket', value: values.bucket },
      { label: 'Limit before', value: amountText(event) },
      { label: 'Limit', value: limitText(values) },
      { label: 'uuid', value: event.uuid },
    ],
  }),
  /** The kind decides which limit is needed. */
  form(values) {
    const amount = amountFieldOf(String(values['kind']));
    const redraw = ['kind'];
    return amount === undefined
      ? { fields: ['kind'], redraw, note: 'Choose the kind first. The other fields depend on it.' }
      : { fields: ['kind', 'bucket', 'storage', amount], redraw, required: [amount] };
  },
});

const deletionOf = (event: EventRow) => eventFacts('DELETE', event);

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
  effect: ({ kind }, { name }) => `Deletes ${kind} for ${name}. No one will be notified about this limit.`,
  preview: async (values, _target, looking: EventLook) => deletionOf(await readEvent(values, looking)),
  async run(values, context: EventContext) {
    const event = await readConfirmed(values, context, deletionOf);
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
