import type { ServiceClientOptions } from '../../src/service/client.ts';
import { createServiceClient } from '../areas/service-client.ts';
import { answer, startFaultyServer } from './faulty-server.ts';
import { testKey } from './test-transport.ts';

export const call = { correlationId: 'c-1' };

/** A client of a service that gives this body to everything. */
export async function clientOf(body: unknown, options: Partial<ServiceClientOptions> = {}, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const service = await startFaultyServer(answer(status, text));
  const client = createServiceClient({ baseUrl: service.url, apiKeys: () => [testKey], ...options });
  return {
    client,
    seen: service.seen,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
