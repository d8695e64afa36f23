import { cdnCalls } from '../areas/cdn/client/calls.ts';
import { cloudCalls, taskCalls } from '../areas/cloud/client/calls.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { storageCalls } from '../areas/storage/client/calls.ts';

export interface ServiceClientOptions extends TransportOptions {
  readonly clientId?: number | undefined;
}

/**
 * The interface as typed calls, one for each endpoint. A call resolves to a Reply with every readable field. A call
 * rejects with a ServiceError that says whether anything can have happened, or with a BellhopError `bad-input` before
 * anything is sent.
 */
export type ServiceClient = ReturnType<typeof createServiceClient>;

/** @throws BellhopError `configuration` if the base URL, key or client id cannot be used */
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
