import {
  type BucketTarget,
  didYouMean,
  type Fact,
  type FormContext,
  notSent,
  operation,
  refused,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import type { StorageClient } from './client/calls.ts';
import { amountFieldOf, type StoredEventRequest } from './client/storage-event.ts';
import {
  amountText,
  checkLimit,
  eventBucket,
  eventFacts,
  eventForm,
  type EventLimit,
  eventLimit,
  type EventName,
  eventName,
  type EventRow,
  eventRows,
  limitText,
} from './event.ts';

type EventLook = FormContext<StorageClient>;
type EventContext = RunContext<BucketTarget, StorageClient>;

export const change = operation({
  name: 'storage.change',
  summary: 'Change the limit that triggers a storage event.',
  actionLabel: 'change the event on',
  risk: 'change',
  extension: 'event-changes',
  input: z.strictObject({ ...eventName, ...eventLimit }).check(checkLimit),
  examples: [
    '/storage change reaching_used_space --bucket videos --storage media --bytes 9TB',
    '/storage change reaching_files_quantity --bucket cdn-raw --storage logs --count 2000000',
  ],
  target: eventBucket,
  effect: (values, { name }) => `Sets the limit of ${values.kind} for ${name} to ${limitText(values)}.`,
  async preview(values, _target, reach: EventLook) {
    const event = await readEvent(values, reach);
    if (event.amount === (values.bytes ?? values.count))
      throw refused(`The limit is already ${amountText(event)}. Nothing was done.`);
    return [...confirmedFacts('PUT', event), { label: 'New limit', value: limitText(values) }];
  },
  async run(values, context: EventContext) {
    const event = await readConfirmed(values, context);
    await context.service.changeStorageEvent(eventBody(values, event, values), context);
    return event;
  },
  report: (event, { input: values }) => ({
    title: `Event changed: ${values.kind}`,
    tone: 'good',
    facts: eventFacts(values, { 'Limit before': amountText(event), Limit: limitText(values) }, event.uuid),
  }),
  form: ({ kind }) => eventForm(kind),
});

export const deleteEvent = operation({
  name: 'storage.delete',
  summary: 'Delete a storage event.',
  actionLabel: 'delete the event on',
  risk: 'destructive',
  extension: 'event-changes',
  input: z.strictObject(eventName),
  examples: ['/storage delete reaching_used_space --bucket videos --storage media'],
  target: eventBucket,
  effect: ({ kind }, { name }) =>
    `Deletes ${kind} for ${name}. From then on, no one is notified when this limit is reached.`,
  preview: async (values, _target, reach: EventLook) =>
    confirmedFacts('DELETE', await readEvent(values, reach)),
  async run(values, context: EventContext) {
    const event = await readConfirmed(values, context);
    await context.service.deleteStorageEvent(eventBody(values, event), context);
    return event;
  },
  report: (event, { input: values }) => ({
    title: `Event deleted: ${values.kind}`,
    tone: 'good',
    facts: eventFacts(values, { Limit: amountText(event) }, event.uuid),
  }),
});

/** @throws notSent if there is no such event, or the event cannot be read */
async function readEvent(wanted: EventName, { service, correlationId }: EventLook): Promise<EventRow> {
  const rows = await listEvents(service, correlationId);
  const found = rows.filter((row) => isNamed(row, wanted));
  const [event] = found;
  if (!event) throw notSent(noSuchEvent(rows, wanted));
  if (found.length === 1 && event.uuid !== '' && event.amount !== undefined) return event;
  const what = found.length > 1 ? `lists ${found.length} of them` : 'does not say its uuid and limit';
  const text = `Bellhop can't tell which event is ${nameText(wanted)}, because the service ${what}. Nothing was sent.`;
  throw notSent(text);
}

async function listEvents(service: StorageClient, correlationId: string): Promise<readonly EventRow[]> {
  const { value } = await service.listStorageEvents({ correlationId }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : '';
    throw notSent(`Nothing was sent, because the current events could not be read. ${why}`, error);
  });
  return eventRows(value);
}

const isNamed = (row: EventRow, { kind, storage, bucket }: EventName): boolean =>
  row.kind === kind && row.storage === storage && row.bucket === bucket;

const nameText = ({ kind, storage, bucket }: EventName): string => `${kind} of ${storage}/${bucket}`;

function noSuchEvent(rows: readonly EventRow[], wanted: EventName): string {
  const start = `There is no ${wanted.kind} event for ${wanted.storage}/${wanted.bucket}.`;
  const kinds = rows
    .filter((row) => row.storage === wanted.storage && row.bucket === wanted.bucket)
    .map(({ kind }) => kind);
  if (kinds.length > 0) return `${start} Events for ${wanted.storage}/${wanted.bucket}: ${kinds.join(', ')}.`;
  const buckets = new Set(rows.map(({ storage, bucket }) => `${storage}/${bucket}`));
  const guess = didYouMean(`${wanted.storage}/${wanted.bucket}`, buckets);
  return `${start}${guess === '' ? ' /storage events lists all events.' : guess}`;
}

const confirmedFacts = (method: 'PUT' | 'DELETE', event: EventRow): readonly Fact[] => [
  { label: 'Sends', value: `${method} /storage/notifications/v1/event`, isCall: true },
  { label: 'Kind', value: event.kind },
  { label: 'uuid', value: event.uuid, data: versionOf(event) },
  { label: 'Current limit', value: amountText(event) },
];

const versionOf = ({ uuid, amount }: EventRow): string =>
  `{"uuid":${JSON.stringify(uuid)},"amount":${String(amount)}}`;

/**
 * Reads the event right before the change, and compares it with the confirmed event.
 * @throws notSent as `readEvent` does, and if the event has changed since
 */
async function readConfirmed(wanted: EventName, context: EventContext): Promise<EventRow> {
  const event = await readEvent(wanted, context);
  if (context.confirmed.some(({ data }) => data === versionOf(event))) return event;
  const now = `The event changed after it was shown: its limit is now ${amountText(event)}, its uuid ${event.uuid}.`;
  throw notSent(`${now} Nothing was sent. Run the command again to see the current one.`);
}

function eventBody(name: EventName, event: EventRow, limit?: EventLimit): StoredEventRequest {
  const { uuid } = event;
  // The client refuses an amount beyond 2⁵³−1.
  const amount = typeof event.amount === 'bigint' ? Number(event.amount) : event.amount;
  const own = amountFieldOf(name.kind) === 'bytes' ? { bytes: amount } : { count: amount };
  return {
    name: name.kind,
    storage_name: name.storage,
    bucket_name: name.bucket,
    uuid,
    ...(limit ? { bytes: limit.bytes, count: limit.count } : own),
  };
}
