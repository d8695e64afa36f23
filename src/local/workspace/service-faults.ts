import { request } from 'undici';
import type { ServiceFault } from './protocol.ts';

type Faults = Readonly<Record<string, ServiceFault>>;

/** The faults of the local service, switched by its control endpoints under `/_local/faults`. */
export interface ServiceFaults {
  /** A service was named at the start. */
  readonly available: boolean;
  /** Faults switched on from here, by row. */
  current(): Faults;
  /** @throws Error that says what the service answered, or that it cannot be reached */
  set(row: string, fault: ServiceFault | null): Promise<void>;
  clear(): Promise<void>;
}

const ANSWER_MS = 2_000;

/** @param announce told after every change */
export function createServiceFaults(
  service: { url: string; apiKey: string } | undefined,
  announce: () => void,
): ServiceFaults {
  let faults: Faults = {};
  async function call(method: 'PUT' | 'DELETE', path: string, body?: ServiceFault): Promise<void> {
    if (service === undefined) throw new Error('No local service was named: start with --service-url.');
    const answer = await request(new URL(path, service.url), {
      method,
      headers: { authorization: `apikey ${service.apiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`The local service answered ${answer.statusCode}: ${text}`);
  }
  return {
    available: service !== undefined,
    current: () => faults,
    async set(row, fault) {
      const { [row]: _previous, ...others } = faults;
      if (fault === null) await call('DELETE', `/_local/faults/${row}`);
      else await call('PUT', `/_local/faults/${row}`, fault);
      faults = fault === null ? others : { ...others, [row]: fault };
      announce();
    },
    async clear() {
      if (service !== undefined) await call('DELETE', '/_local/faults');
      faults = {};
      announce();
    },
  };
}
