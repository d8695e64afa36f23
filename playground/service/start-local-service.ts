import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Extension, extensions } from './http/endpoint.ts';
import { createFaults } from './faults/faults.ts';
import type { LocalInventory } from './state/inventory.ts';
import { createRequestLog } from './http/request-log.ts';
import { seedContainers } from './seed/containers.ts';
import { seedEvents } from './seed/events.ts';
import { seedInstances } from './seed/instances.ts';
import type { ServiceAppParts } from './app-parts.ts';
import { serviceApp } from './service-app.ts';
import { createServiceClock } from './service-clock.ts';
import { openServiceStore } from './state/service-store.ts';

/** How to start a local service. */
export interface LocalServiceOptions {
  /** Loopback only by default. */
  readonly host?: string | undefined;
  /** Port 0 picks a free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly apiKey: string;
  readonly readOnlyKey?: string | undefined;
  /** How many times as fast as real time its clock runs, 1 by default. */
  readonly clockSpeed?: number | undefined;
  /** Forgets what is stored and starts from the seeded data. */
  readonly reset?: boolean | undefined;
  readonly inventory: LocalInventory;
  /** Extensions of the interface; default: all. */
  readonly extensions?: readonly Extension[] | undefined;
  /** Real time in epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** A service that listens. */
export interface LocalService {
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  /** Ends calls that hang, answers those in flight, then frees the port and the data directory. */
  close(): Promise<void>;
}

const drainMilliseconds = 1000;

/** A connection whose answer was in flight is kept alive afterwards, so it is closed as well. */
const sweepMilliseconds = 20;

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The port has no number'));
      else resolve(address);
    });
  });

const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, drainMilliseconds);
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, sweepMilliseconds);
    server.close((error) => {
      clearTimeout(force);
      clearInterval(sweep);
      if (error) reject(error);
      else resolve();
    });
  });

const partsFor = (options: LocalServiceOptions, closing: AbortSignal): ServiceAppParts => {
  const { apiKey, readOnlyKey, inventory, now = Date.now } = options;
  const store = openServiceStore(options.dataDir, seedEvents);
  if (options.reset === true) store.reset();
  const startAt = Math.max(now(), store.clock() ?? 0);
  const clock = createServiceClock(startAt, options.clockSpeed ?? 1, now);
  const instances = seedInstances(inventory);
  return {
    service: {
      clock,
      store,
      inventory,
      instances,
      containers: seedContainers(inventory),
      startedAt: startAt,
      newId: randomUUID,
    },
    keys: { apiKey, readOnlyKey },
    extensions: new Set(options.extensions ?? extensions),
    faults: createFaults(),
    requests: createRequestLog(),
    closing,
  };
};

/**
 * Starts the service of the interface on this machine, with its state in `dataDir`.
 *
 * @throws Error in production, if the port is taken, or if another process uses the directory.
 */
export const startLocalService = async (options: LocalServiceOptions): Promise<LocalService> => {
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('The local service does not run in production: set API_BASE_URL to the real one');
  }
  const closing = new AbortController();
  const parts = partsFor(options, closing.signal);
  const { service } = parts;
  const host = options.host ?? '127.0.0.1';
  const listener = getRequestListener(serviceApp(parts).fetch);
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  try {
    const { port } = await listen(server, options.port, host);
    const close = async () => {
      closing.abort();
      await stopListening(server);
      service.store.keepClock(service.clock.now());
      service.store.close();
    };
    let closed: Promise<void> | undefined;
    const authority = host.includes(':') ? `[${host}]` : host;
    return {
      url: `http://${authority}:${String(port)}`,
      port,
      apiKey: options.apiKey,
      close: () => (closed ??= close()),
    };
  } catch (error) {
    service.store.close();
    throw error;
  }
};
