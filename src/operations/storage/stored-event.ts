import type { ServiceClient } from '../../service/client.ts';
import { amountFieldOf, type StoredEventRequest } from '../../service/schemas/storage-event.ts';
import { didYouMean } from '../../text/nearest.ts';
import {
  type BucketTarget,
  type Fact,
  type FormContext,
  notSent,
  type RunContext,
} from '../../bellhop/bellhop.ts';
import type { EventLimit, EventName } from './event-input.ts';
import { amountText, eventRows, type EventRow } from './event-rows.ts';

/** The context of reading events. */
export type EventLook = FormContext<ServiceClient>;
export type EventContext = RunContext<BucketTarget, ServiceClient>;

/**
 * The current event.
 * @throws notSent if there is none, or it cannot be read
 */
export async function readEvent(wanted: EventName, { service, correlationId }: EventLook): Promise<EventRow> {
  const rows = await listEvents(service, correlationId);
  const found = rows.filter((row) => isNamed(row, wanted));
  const [event] = found;
  if (!event) throw notSent(noSuchEvent(rows, wanted));
  if (found.length === 1 && event.uuid !== '' && event.amount !== undefined) return event;
  const what = found.length > 1 ? `lists ${found.length} of them` : 'does not say its uuid and limit';
  const text = `Bellhop can't tell which event is ${nameText(wanted)}: the service ${what}. Nothing was sent.`;
  throw notSent(text);
}

async function listEvents(service: ServiceClient, correlationId: string): Promise<readonly EventRow[]> {
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
  const start = `The service has no event ${nameText(wanted)}.`;
  const kinds = rows
    .filter((row) => row.storage === wanted.storage && row.bucket === wanted.bucket)
    .map(({ kind }) => kind);
  if (kinds.length > 0) return `${start} It has ${kinds.join(', ')} there.`;
  const buckets = new Set(rows.map(({ storage, bucket }) => `${storage}/${bucket}`));
  const guess = didYouMean(`${wanted.storage}/${wanted.bucket}`, buckets);
  return `${start}${guess === '' ? ' /storage events lists all events.' : guess}`;
}

/** The event, and what will be sent. */
export const eventFacts = (method: 'PUT' | 'DELETE', event: EventRow): readonly Fact[] => [
  { label: 'Sends', value: `${method} /storage/notifications/v1/event` },
  { label: 'Kind', value: event.kind },
  { label: 'uuid', value: event.uuid },
  { label: 'Current limit', value: amountText(event) },
];

const asText = (facts: readonly Fact[] = []): string =>
  JSON.stringify(facts.map(({ label, value }) => [label, value]));

/**
 * Reads the event right before it is changed, and compares it with the confirmed one.
 * @throws as `readEvent` does, and notSent if the event has changed since
 */
export async function readConfirmed(
  wanted: EventName,
  context: EventContext,
  factsOf: (event: EventRow) => readonly Fact[],
): Promise<EventRow> {
  const event = await readEvent(wanted, context);
  if (asText(factsOf(event)) === asText(context.confirmed)) return event;
  const now = `The event changed after it was shown: its limit is now ${amountText(event)}, its uuid ${event.uuid}.`;
  throw notSent(`${now} Nothing was sent. Run the command again to see the current one.`);
}

/** The request body for an event, with its own limit or a new one. */
export function eventBody(
  name: EventName,
  { uuid, amount }: EventRow,
  limit?: EventLimit,
): StoredEventRequest {
  const own = amountFieldOf(name.kind) === 'bytes' ? { bytes: amount } : { count: amount };
  return {
    name: name.kind,
    storage_name: name.storage,
    bucket_name: name.bucket,
    uuid,
    ...(limit ? { bytes: limit.bytes, count: limit.count } : own),
  };
}
