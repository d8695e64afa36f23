import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { App, Receiver } from '@slack/bolt';
import { z } from 'zod';

import type { BackgroundTasks } from '../../core/background-tasks.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import { createDispatch, type Delivery, describe } from './dispatch.ts';
import type { Inbox } from './inbox.ts';
import { respond } from './respond.ts';
import { createEventsRoute } from './events-route.ts';

/** What an extra route answers. */
export interface RouteAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ReceiverOptions {
  readonly signingSecret: string;
  /** Bytes; larger bodies get 413. */
  readonly bodyLimit?: number;
  /** See `events-route.ts`. */
  readonly bodiesRoom?: number;
  /** How long a request may take to arrive whole, in milliseconds; slower ones get 408. */
  readonly arrivalMs?: number;
  readonly clock: Clock;
  readonly logger: Log;
  readonly backgroundTasks: BackgroundTasks;
  /** See `dispatch.ts`. */
  readonly inbox?: Pick<Inbox, 'accept'>;
  /** See `dispatch.ts`. */
  readonly maxInFlight?: number;
  readonly newAsk?: <T>(work: () => T) => T;
  /** Answered to GET and HEAD: `/healthz`, `/readyz`, `/metrics`. */
  readonly routes: Readonly<Record<string, () => Promise<RouteAnswer>>>;
  /** Told of every answer to Slack: its kind of payload or reason, status, and milliseconds since it arrived. */
  readonly onAnswer?: (kind: string, status: number, ms: number) => void;
}

export interface SlackReceiver extends Receiver {
  /** Takes a payload that came another way. */
  readonly dispatch: (delivery: Delivery) => void;
  /** Resolves to the port that it listens on. @throws where the address cannot be had */
  start(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Takes no more payloads: `/slack/events` answers 503. The other routes go on until `close`. */
  stop(): Promise<void>;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

const eventsPath = '/slack/events';

/** What comes above is refused a connection. Slack and the proxies before us keep a few dozen. */
const mostConnections = 2_000;

/** A receiver for Bolt on node:http: checks the signature, acknowledges, then hands over. See `dispatch.ts`. */
export function createReceiver(options: ReceiverOptions): SlackReceiver {
  const { clock, logger, backgroundTasks, arrivalMs = 10_000 } = options;
  let app: App | undefined;
  let stopping = false;
  const dispatch = createDispatch({
    process: async (event) => app?.processEvent(event),
    backgroundTasks,
    clock,
    log: logger,
    ...(options.inbox !== undefined && { inbox: options.inbox }),
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
    ...(options.newAsk !== undefined && { newAsk: options.newAsk }),
  });
  const events = createEventsRoute({ ...options, dispatch, stopping: () => stopping });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (stopping) response.setHeader('Connection', 'close');
    const path = request.url?.split('?', 1)[0] ?? '';
    try {
      if (path === eventsPath) events(request, response);
      else void answerRoute(options, path, request, response);
    } catch (error) {
      logger.error({ path: path.slice(0, 60), err: describe(error) }, 'a request could not be answered');
      respond(response, 500, 'Internal error');
    }
  };
  const server = createServer(
    {
      requestTimeout: arrivalMs,
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: Math.min(1_000, arrivalMs),
      keepAliveTimeout: 65_000,
    },
    handle,
  );
  server.maxConnections = mostConnections;
  return {
    dispatch,
    init: (bolt) => {
      app = bolt;
    },
    start: ({ host, port }: { readonly host: string; readonly port: number }) => listen(server, host, port),
    stop: () => {
      // Connections stay: whoever probes over one must be told that this replica is not ready.
      stopping = true;
      return Promise.resolve();
    },
    close: () =>
      new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const bound = z.object({ port: z.number() });

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(bound.parse(server.address()).port);
    });
  });
}

async function answerRoute(
  { routes, logger }: ReceiverOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  request.resume();
  if (!route) return respond(response, 404, 'Not found');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return respond(response, 405, 'Method not allowed');
  }
  try {
    const { status, contentType, body } = await route();
    respond(response, status, body, contentType);
  } catch (error) {
    logger.error({ path, err: describe(error) }, 'a route failed');
    respond(response, 500, 'Internal error');
  }
}
