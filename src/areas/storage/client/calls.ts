import { badConfiguration } from '../../../model/values/errors.ts';
import {
  type Accepted,
  checkedRequest,
  jsonObject,
  readReply,
  type ServiceReply,
} from '../../../service/errors/reply.ts';
import type { CallOptions } from '../../../service/client.ts';
import type { CallContext, Transport } from '../../../service/http/transport.ts';
import { storageCall } from './endpoints.ts';
import { canonicalId } from '../../../text/words.ts';
import {
  storageConfiguratorRead,
  storageEventRead,
  type StorageEventRead,
  storageEventRequest,
  storageEventsRead,
  storedEventRequest,
  type StorageEventRequest,
  type StoredEventRequest,
} from './storage-event.ts';

export { replyNotes } from '../../../service/errors/reply.ts';

/** Each call throws ServiceError. The client id, if configured, is sent with each change. */
export function storageCalls(transport: Transport, { clientId }: Pick<CallOptions, 'clientId'>) {
  if (clientId !== undefined && !Number.isSafeInteger(clientId)) {
    throw badConfiguration('The client id of storage events must be a whole number.');
  }
  const query = clientId === undefined ? undefined : { client_id: String(clientId) };
  const alter =
    (endpoint: 'changeStorageEvent' | 'deleteStorageEvent') =>
    async (event: StoredEventRequest, call: CallContext) => {
      const body = checkedRequest(storedEventRequest, event);
      return transport.call(storageCall(endpoint, {}, { query, body }), call, (accepted) => {
        if (accepted.body.length > 0) readEvent(accepted, body);
        return { value: undefined, problems: [], status: accepted.status };
      });
    };
  return {
    /** Needs the extension `event-changes`. Changes the limit of the event with this uuid. */
    changeStorageEvent: alter('changeStorageEvent'),
    /** Needs the extension `event-changes`. The given event has to match the stored event. */
    deleteStorageEvent: alter('deleteStorageEvent'),
    /** @throws BellhopError `bad-input` for an event that the interface would refuse */
    async postStorageEvent(event: StorageEventRequest, call: CallContext) {
      const body = checkedRequest(storageEventRequest, event);
      return transport.call(storageCall('postStorageEvent', {}, { query, body }), call, (accepted) =>
        readEvent(accepted, body),
      );
    },
    describeStorageEvents: (call: CallContext) =>
      transport.call(storageCall('describeStorageEvents', {}), call, (accepted) =>
        readReply(accepted, storageConfiguratorRead, jsonObject(accepted)),
      ),
    listStorageEvents: (call: CallContext) =>
      transport.call(storageCall('listStorageEvents', {}), call, (accepted) =>
        readReply(accepted, storageEventsRead, jsonObject(accepted, {})),
      ),
  };
}

export type StorageClient = ReturnType<typeof storageCalls>;

/** @throws ServiceError if the answer is not about the event that was sent */
function readEvent(accepted: Accepted, sent: StorageEventRequest): ServiceReply<StorageEventRead> {
  const reply = readReply(accepted, storageEventRead, jsonObject(accepted));
  const problem = notTheEvent(reply.value, sent);
  if (problem !== undefined) throw accepted.refuse(problem);
  return reply;
}

/** Returns why an answer cannot be about the event that was sent; undefined if it can. */
function notTheEvent(told: StorageEventRead, sent: StorageEventRequest): string | undefined {
  const { name, storage_name: storage, bucket_name: bucket, uuid } = told;
  if ([name, storage, bucket, uuid].every((known) => known === undefined)) return 'it contains no event';
  const same =
    (name ?? sent.name) === sent.name &&
    (storage ?? sent.storage_name) === sent.storage_name &&
    (bucket ?? sent.bucket_name) === sent.bucket_name &&
    canonicalId(uuid ?? sent.uuid ?? '') === canonicalId(sent.uuid ?? uuid ?? '');
  return same ? undefined : 'it is about another event';
}
