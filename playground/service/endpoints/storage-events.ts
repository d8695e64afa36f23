import { z } from '@hono/zod-openapi';
import {
  eventKindNames,
  eventKinds,
  storageEvent,
  storageEventRequest,
  storedEventRequest,
  type StorageEventRequest,
  type StoredEventRequest,
} from '../../../src/areas/storage/client/storage-event.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import type { EventStore, StoredEvent } from '../state/event-store.ts';
import { storageConfigurator, type StorageEvents, storageEvents } from '../schemas/storage-events.ts';
import { seedEvents } from '../seed/events.ts';

const clientQuery = z.object({
  client_id: z
    .string()
    .regex(/^-?\d{1,15}$/, 'expected an integer')
    .optional()
    .openapi({ type: 'integer', description: 'client that the event is for' }),
});

const record = ({ storage_name, bucket_name, uuid }: StoredEvent) => ({ storage_name, bucket_name, uuid });

const counts = (event: StoredEvent) => Object.assign(record(event), { count: event.amount });
const sizes = (event: StoredEvent) => Object.assign(record(event), { bytes: event.amount });

const group = (events: readonly StoredEvent[]): StorageEvents => {
  const of = (kind: StoredEvent['name']) => events.filter(({ name }) => name === kind);
  return {
    reaching_files_quantity: of('reaching_files_quantity').map(counts),
    reaching_used_requests: of('reaching_used_requests').map(counts),
    reaching_used_space: of('reaching_used_space').map(sizes),
    reaching_used_traffic: of('reaching_used_traffic').map(sizes),
  };
};

const amountOf = (event: StorageEventRequest): number => event[eventKinds[event.name].amountField] ?? 0;

export const postStorageEvent = endpoint({
  name: 'postStorageEvent',
  method: 'post',
  path: '/storage/notifications/v1/event',
  summary: 'Add a storage event',
  description:
    'reaching_used_space and reaching_used_traffic take bytes, reaching_files_quantity and reaching_used_requests take count.',
  changes: true,
  query: clientQuery,
  body: storageEventRequest,
  response: storageEvent,
  failures: { 409: 'an event of this kind exists for this storage and bucket' },
  run: (call, { store, clock, newId }) => {
    read(clientQuery, call.query);
    const event = read(storageEventRequest, call.json);
    if (store.findEvent(event)) {
      throw new Failure(
        409,
        `${event.name} already exists for ${event.bucket_name} in ${event.storage_name}`,
      );
    }
    const created = { ...event, uuid: event.uuid || newId() };
    const { name, storage_name, bucket_name, uuid } = created;
    store.keepClock(clock.now());
    store.addEvent({ name, storage_name, bucket_name, uuid, amount: amountOf(event) });
    return created;
  },
});

const eventFailures = { 409: 'the event has another uuid by now' } as const;

/**
 * The stored event that a change is about.
 * @throws Failure 400 if no event has this kind, storage and bucket, 409 if the event has another uuid.
 */
const meantEvent = (store: EventStore, event: StoredEventRequest): StoredEvent => {
  const stored = store.findEvent(event);
  const which = `${event.name} for ${event.bucket_name} in ${event.storage_name}`;
  if (!stored) throw new Failure(400, `There is no event ${which}`);
  if (stored.uuid === event.uuid) return stored;
  throw new Failure(409, `The event ${which} has another uuid by now`);
};

export const changeStorageEvent = endpoint({
  name: 'changeStorageEvent',
  method: 'put',
  path: '/storage/notifications/v1/event',
  summary: 'Change the limit of a storage event',
  description: 'Kind, storage, bucket and uuid identify the event and cannot be changed.',
  extension: 'event-changes',
  changes: true,
  query: clientQuery,
  body: storedEventRequest,
  status: 204,
  failures: eventFailures,
  run: (call, { store, clock }) => {
    read(clientQuery, call.query);
    const event = read(storedEventRequest, call.json);
    const stored = meantEvent(store, event);
    store.keepClock(clock.now());
    store.changeEvent({ ...stored, amount: amountOf(event) });
  },
});

export const deleteStorageEvent = endpoint({
  name: 'deleteStorageEvent',
  method: 'delete',
  path: '/storage/notifications/v1/event',
  summary: 'Delete a storage event',
  description: 'Kind, storage, bucket and uuid identify the event.',
  extension: 'event-changes',
  changes: true,
  query: clientQuery,
  body: storedEventRequest,
  status: 204,
  failures: eventFailures,
  run: (call, { store, clock }) => {
    read(clientQuery, call.query);
    const stored = meantEvent(store, read(storedEventRequest, call.json));
    store.keepClock(clock.now());
    store.deleteEvent(stored);
  },
});

const typesOfFields = { storage_name: 'text', bucket_name: 'text', uuid: 'text' } as const;

export const describeStorageEvents = endpoint({
  name: 'describeStorageEvents',
  method: 'get',
  path: '/storage/notifications/v1/events/configurator',
  summary: 'Describe how to form event requests',
  changes: false,
  response: storageConfigurator,
  run: () => ({
    example: group(eventKindNames.flatMap((kind) => seedEvents.find(({ name }) => name === kind) ?? [])),
    structure: eventKindNames.map((name) => {
      const types = Object.entries({ ...typesOfFields, [eventKinds[name].amountField]: 'number' });
      return { name, fields: types.map(([field, type]) => ({ name: field, type })) };
    }),
  }),
});

export const listStorageEvents = endpoint({
  name: 'listStorageEvents',
  method: 'get',
  path: '/storage/notifications/v1/events',
  summary: "Read the client's events",
  changes: false,
  response: storageEvents,
  run: (_call, { store }) => group(store.events()),
});
