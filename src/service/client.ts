import { cdnCalls } from './cdn.ts';
import { cloudCalls, taskCalls } from './cloud.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { storageCalls } from './storage.ts';

export interface ServiceClientOptions extends TransportOptions {
  /** Sent with storage events if configured. */
  readonly clientId?: number | undefined;
}

/**
 * The interface as typed calls, one per endpoint. A call ends with a Reply that has every readable field, a ServiceError that
 * says whether anything can have happened, or a BellhopError `bad-input` before anything is sent.
 */
export type ServiceClient = ReturnType<typeof createServiceClient>;

/** @throws BellhopError `configuration` if the base URL, key or client id cannot be used. */
export function createServiceClient(options: ServiceClientOptions) {
  const transport = createTransport(options);
  return {
    ...cloudCalls(transport, options.ports?.now ?? Date.now),
    ...taskCalls(transport),
    ...cdnCalls(transport),
    ...storageCalls(transport, options.clientId),
    /** Refuses new calls and waits for the running ones. */
    close: () => transport.close(),
  };
}
