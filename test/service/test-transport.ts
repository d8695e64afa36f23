import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import { jsonBody } from '../../src/service/errors/reply.ts';
import { cdnCall } from '../../src/areas/cdn/client/endpoints.ts';
import { createTransport, type TransportOptions } from '../../src/service/http/transport.ts';

export const testKey = 'key-of-the-tests-1234';

/** A transport whose pauses take no time and are recorded. */
export function testTransport(baseUrl: string, options: Partial<TransportOptions> = {}) {
  const pauses: number[] = [];
  const transport = createTransport({
    baseUrl,
    apiKeys: () => [testKey],
    ...options,
    timings: { deadlineMs: 10_000, ...options.timings },
    ports: {
      random: () => 0.5,
      pause: (milliseconds, signal) => {
        pauses.push(milliseconds);
        signal.throwIfAborted();
        return Promise.resolve();
      },
      ...options.ports,
    },
  });
  const ask = (kind: 'query' | 'change', signal?: AbortSignal) =>
    transport.call(
      kind === 'query'
        ? cdnCall('listCapacity', {})
        : cdnCall('updateRawLogSettings', {}, { body: { enabled: true } }),
      { correlationId: 'c-1', ...(signal === undefined ? {} : { signal }) },
      jsonBody,
    );
  return { transport, pauses, ask };
}

/** The ServiceError that a call ends with. */
export async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const value: unknown = await call.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (value instanceof ServiceError) return value;
  throw new Error('expected a ServiceError', { cause: value });
}

/** The problem of a request that was rejected before anything was sent. */
export async function badInput(refused: Promise<unknown>): Promise<string> {
  const value: unknown = await refused.then(
    () => 'it was sent',
    (error: unknown) => error,
  );
  if (value instanceof BellhopError && value.code === 'bad-input') return value.message;
  throw new Error('expected bad-input', { cause: value });
}
