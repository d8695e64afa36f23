import { BellhopError } from '../model/errors.ts';
import { type Accepted, checkedRequest, jsonObject, readReply, type Reply } from './errors/reply.ts';
import { endpoints } from './schemas/endpoints.ts';
import type { ReadBy } from './schemas/lenient.ts';
import {
  storageConfiguratorRead,
  storageEventRead,
  storageEventRequest,
  storageEventsRead,
  storedEventRequest,
  type StorageConfiguratorRead,
  type StorageEventRequest,
  type StorageEventsRead,
  type StoredEventRequest,
} from './schemas/storage-event.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';

export type StorageEventRead = ReadBy<typeof storageEventRead>;

/** Each @throws ServiceError. */
export interface StorageCalls {
  /** @throws BellhopError `bad-input` for an event that the interface would refuse. */
  postStorageEvent(event: StorageEventRequest, call: CallContext): Promise<Reply<StorageEventRead>>;
  /** The extension `event-changes`: gives the event with this uuid another limit. */
  changeStorageEvent(event: StoredEventRequest, call: CallContext): Promise<Reply<undefined>>;
  /** The extension `event-changes`: `event` is as the service has it. */
  deleteStorageEvent(event: StoredEventRequest, call: CallContext): Promise<Reply<undefined>>;
  describeStorageEvents(call: CallContext): Promise<Reply<StorageConfiguratorRead>>;
  listStorageEvents(call: CallContext): Promise<Reply<StorageEventsRead>>;
}

/** The calls of the storage area. `clientId` goes with a posted event, where configured. */
export function storageCalls(transport: Transport, clientId: number | undefined): StorageCalls {
  if (clientId !== undefined && !Number.isSafeInteger(clientId)) {
    throw new BellhopError('configuration', 'The client id of storage events must be a whole number.');
  }
  const query = clientId === undefined ? '' : `?client_id=${clientId}`;
  const alter = async (
    endpoint: 'changeStorageEvent' | 'deleteStorageEvent',
    event: StoredEventRequest,
    call: CallContext,
  ): Promise<Reply<undefined>> => {
    const body = checkedRequest(storedEventRequest, event);
    const path = endpoints[endpoint].path + query;
    return transport.call({ endpoint, path, body }, call, (accepted) => {
      if (accepted.body.length > 0) readEvent(accepted, body);
      return { value: undefined, problems: [], status: accepted.status };
    });
  };
  return {
    changeStorageEvent: (event, call) => alter('changeStorageEvent', event, call),
    deleteStorageEvent: (event, call) => alter('deleteStorageEvent', event, call),
    async postStorageEvent(event, call) {
      const body = checkedRequest(storageEventRequest, event);
      return transport.call(
        { endpoint: 'postStorageEvent', path: endpoints.postStorageEvent.path + query, body },
        call,
        (accepted) => readEvent(accepted, body),
      );
    },
    describeStorageEvents(call) {
      return transport.call(
        { endpoint: 'describeStorageEvents', path: endpoints.describeStorageEvents.path },
        call,
        (accepted) => readReply(accepted, storageConfiguratorRead, jsonObject(accepted)),
      );
    },
    listStorageEvents(call) {
      return transport.call(
        { endpoint: 'listStorageEvents', path: endpoints.listStorageEvents.path },
        call,
        (accepted) => readReply(accepted, storageEventsRead, jsonObject(accepted)),
      );
    },
  };
}

/** @throws ServiceError where the answer is not about the event that was sent */
function readEvent(accepted: Accepted, sent: StorageEventRequest): Reply<StorageEventRead> {
  const reply = readReply(accepted, storageEventRead, jsonObject(accepted));
  const problem = notTheEvent(reply.value, sent);
  if (problem !== undefined) throw accepted.refuse(problem);
  return reply;
}

/** Why an answer cannot be about the event that was sent; undefined where it can. */
function notTheEvent(told: StorageEventRead, sent: StorageEventRequest): string | undefined {
  const { name, storage_name: storage, bucket_name: bucket, uuid } = told;
  if ([name, storage, bucket, uuid].every((known) => known === undefined)) return 'it holds no event';
  const same =
    (name ?? sent.name) === sent.name &&
    (storage ?? sent.storage_name) === sent.storage_name &&
    (bucket ?? sent.bucket_name) === sent.bucket_name &&
    (uuid ?? sent.uuid) === (sent.uuid ?? uuid);
  return same ? undefined : 'it is about another event';
}
