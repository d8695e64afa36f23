import { z } from 'zod';

import { createTransport, type Transport, type TransportOptions } from './http/transport.ts';

export interface CallOptions {
  /** In epoch milliseconds. */
  readonly now: () => number;
  readonly clientId: number | undefined;
}

interface WithCalls {
  readonly calls: (transport: Transport, options: CallOptions) => object;
}

export interface ServiceClientOptions extends TransportOptions, Partial<Pick<CallOptions, 'clientId'>> {}

export interface ServiceClient {
  /** Refuses new calls and waits for the running ones. */
  close(): Promise<void>;
}

type AllOf<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * A call resolves to every readable field. It rejects with a ServiceError that says whether anything can have happened, or with a
 * BellhopError `bad-input` before anything is sent.
 * @throws BellhopError `configuration` if the base URL, key or client id can't be used
 */
export function createServiceClient<Area extends WithCalls>(
  areas: readonly Area[],
  options: ServiceClientOptions,
): ServiceClient & AllOf<ReturnType<Area['calls']>> {
  const transport = createTransport(options);
  const ofCalls = { now: options.ports?.now ?? Date.now, clientId: options.clientId };
  const calls = areas.map((area) => area.calls(transport, ofCalls));
  const close = () => transport.close();
  // The type system can't add up the calls of a list of areas, so the type is stated here.
  return z
    .custom<ServiceClient & AllOf<ReturnType<Area['calls']>>>()
    .parse(Object.assign({}, ...calls, { close }));
}
