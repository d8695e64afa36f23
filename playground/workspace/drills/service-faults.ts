import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { serviceFaultSchema, type ServiceFault } from '../drill-protocol.ts';

const faultsSchema = z.record(z.string(), serviceFaultSchema);
type Faults = z.infer<typeof faultsSchema>;

/** The faults of the local service, switched by its control endpoints under `/_local/faults`. */
export interface ServiceFaults {
  /** Whether a service was configured at the start. */
  readonly available: boolean;
  /** The active faults by endpoint, as the service last reported them. */
  current(): Faults;
  /** Asks the service again. If it cannot be reached, the last answer stays. */
  refresh(): Promise<void>;
  /** @throws Error that says what the service answered, or that it cannot be reached */
  set(endpoint: string, fault: ServiceFault | null): Promise<void>;
  clear(): Promise<void>;
}

const ANSWER_MS = 2_000;
/** Faults with a limited number of strikes end by themselves, so the service is polled while there are any. */
const LOOK_AGAIN_MS = 2_000;

/** @param announce called when the faults changed */
export function createServiceFaults(
  service: { url: string; apiKey: string } | undefined,
  clock: Clock,
  announce: () => void,
): ServiceFaults {
  let faults: Faults = {};
  let stopLooking: (() => void) | undefined;
  async function call(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: ServiceFault): Promise<void> {
    if (service === undefined)
      throw new Error('This workspace was started without a local service. Start it with --service-url.');
    const answer = await request(new URL(`/_local${path}`, service.url), {
      method,
      headers: { authorization: `apikey ${service.apiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`The local service answered ${answer.statusCode}: ${text}`);
    learn(faultsSchema.parse(JSON.parse(text)));
  }
  function learn(current: Faults): void {
    const changed = !isDeepStrictEqual(current, faults);
    faults = current;
    stopLooking?.();
    stopLooking = undefined;
    if (Object.values(current).some(({ times }) => times !== undefined))
      stopLooking = clock.at(clock.now() + LOOK_AGAIN_MS, () => void refresh());
    if (changed) announce();
  }
  async function refresh(): Promise<void> {
    if (service === undefined) return;
    try {
      await call('GET', '/faults');
    } catch {
      // A service that is down reports no faults.
    }
  }
  return {
    available: service !== undefined,
    current: () => faults,
    refresh,
    set: (endpoint, fault) =>
      fault === null ? call('DELETE', `/faults/${endpoint}`) : call('PUT', `/faults/${endpoint}`, fault),
    async clear() {
      if (service !== undefined) await call('DELETE', '/faults');
    },
  };
}
