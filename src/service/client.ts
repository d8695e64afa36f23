import { cdnCalls, type CdnCalls } from './cdn.ts';
import { cloudCalls, type CloudCalls } from './cloud.ts';
import { instanceListCalls, type InstanceListCalls } from './instance-list.ts';
import { storageCalls, type StorageCalls } from './storage.ts';
import { floatingIpListCalls, type FloatingIpListCalls } from './floating-ips.ts';
import { taskCalls, type TaskCalls } from './tasks.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';

export interface ServiceClientOptions extends TransportOptions {
  /** Sent with storage events where configured. */
  readonly clientId?: number | undefined;
}

/**
 * The interface as typed calls, one for each endpoint. What a call ends with: a Reply, where every field that could be
 * read is there; a ServiceError that says whether anything can have happened; or a BellhopError `bad-input`, before
 * anything is sent.
 */
export interface ServiceClient
  extends CloudCalls, InstanceListCalls, TaskCalls, FloatingIpListCalls, CdnCalls, StorageCalls {
  /** Takes no new calls and waits for the running ones. */
  close(): Promise<void>;
}

/** @throws BellhopError `configuration` where the base URL, key or client id cannot be used. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const transport = createTransport(options);
  return {
    ...cloudCalls(transport),
    ...instanceListCalls(transport, options.ports?.now ?? Date.now),
    ...taskCalls(transport),
    ...floatingIpListCalls(transport),
    ...cdnCalls(transport),
    ...storageCalls(transport, options.clientId),
    close: () => transport.close(),
  };
}
