import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { App, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';

import { createDispatch, type DispatchPorts } from './dispatch.ts';
import { createEventsRoute, type EventsRouteOptions } from './events-route.ts';
import { abridged } from '../../text/words.ts';
import { type BodyBounds, internalError, reject, type PlainReply, respond } from '../../http/incoming.ts';

type NamedRoute = (name: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A route for callers other than Slack. It also works in Socket Mode. */
export interface Route {
  /** The first group of the pattern, if there is one, is the name. */
  readonly path: RegExp;
  readonly handle: NamedRoute;
  /**
   * The right address, for the log line about a request to a slightly wrong path. Undefined for no such line.
   */
  readonly address?: string;
}

export interface ReceiverLimits extends BodyBounds {
  /** In milliseconds. A request that takes longer to arrive completely gets a 408. */
  readonly arrivalMs: number;
  /** The most payloads in flight, including their work. Further payloads are rejected. */
  readonly inFlight: number;
}

export const receiverLimits: ReceiverLimits = {
  body: 1024 * 1024,
  allBodies: 64 * 1024 * 1024,
  arrivalMs: 10_000,
  // Enough for ten seconds of 50 payloads per second while Slack or the store hangs, and for as many whose
  // work is not done.
  inFlight: 1_000,
};

export interface ReceiverOptions
  extends Omit<DispatchPorts, 'process' | 'maxInFlight'>, Omit<EventsRouteOptions, 'dispatch' | 'stopping'> {
  readonly limits: ReceiverLimits;
  /** The routes for GET and HEAD: `/healthz`, `/readyz` and `/metrics`. */
  readonly routes: Readonly<Record<string, () => Promise<PlainReply>>>;
}

export type SlackReceiver = ReturnType<typeof createReceiver>;

export const eventsPath = '/slack/events';

/** The most open connections. Slack and proxies keep a few dozen. */
const maxConnections = 2_000;

/**
 * A receiver for Bolt on node:http. The receiver checks the signature, acknowledges the payload, then hands it to the app. See
 * `dispatch.ts`.
 */
export function createReceiver(options: ReceiverOptions) {
  const { arrivalMs, inFlight: maxInFlight } = options.limits;
  let app: App | undefined;
  let stopping = false;
  let others: readonly Route[] = [];
  const hint = createHint(options, () => others);
  const process = async (event: ReceiverEvent): Promise<void> => app?.processEvent(event);
  const dispatch = createDispatch({ ...options, process, maxInFlight });
  const events = createEventsRoute({ ...options, dispatch, stopping: () => stopping });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (stopping) response.setHeader('Connection', 'close');
    const path = request.url?.split('?', 1)[0] ?? '';
    const route = others.find((one) => one.path.test(path));
    if (path === eventsPath) void events(request, response);
    else if (route) void route.handle(route.path.exec(path)?.[1] ?? '', request, response);
    else {
      hint(path, request);
      void answerRoute(options, path, request, response);
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
  server.maxConnections = maxConnections;
  return {
    dispatch,
    init: (bolt: App): void => {
      app = bolt;
    },
    stopping: (): boolean => stopping,
    /** Serves a connection that did not come in through the port, such as one in memory. */
    serve: (connection: Duplex): void => void server.emit('connection', connection),
    /** Resolves to the port. @throws if the receiver can't listen on the address */
    async start(
      { host, port }: { readonly host: string; readonly port: number },
      besides: readonly Route[] = [],
    ): Promise<number> {
      others = besides;
      server.listen(port, host);
      await once(server, 'listening');
      return bound.parse(server.address()).port;
    },
    /** Stops accepting payloads, so `/slack/events` answers 503. Other routes keep working until `close`. */
    stop: (): Promise<void> => {
      // Connections stay open, so that a probe over an open connection sees that this replica is not ready.
      stopping = true;
      return Promise.resolve();
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Logs that a request to an unknown path was probably meant for a known one. Logged once for each known path.
 */
function createHint({ routes, log }: ReceiverOptions, others: () => readonly Route[]) {
  const hinted = new Set<string>();
  return (path: string, { headers }: IncomingMessage): void => {
    const meant = meantBy(path, headers['x-slack-signature'] !== undefined, {
      routes: Object.keys(routes),
      others: others(),
    });
    if (meant === undefined || hinted.has(meant)) return;
    hinted.add(meant);
    log.warn({ path: abridged(path), meant }, `nothing is served at this path; use ${meant}`);
  };
}

/**
 * Returns the path that a request to an unknown path was probably meant for.
 * @param fromSlack whether the request has a Slack signature
 */
function meantBy(
  path: string,
  fromSlack: boolean,
  { routes, others }: { readonly routes: readonly string[]; readonly others: readonly Route[] },
): string | undefined {
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const tidy = `/${parts.join('/')}`;
  if (routes.includes(path)) return undefined;
  if (fromSlack || parts.includes('slack')) return eventsPath;
  const missed = others.find((one) => one.path.test(tidy) && !one.path.test(path));
  return missed ? missed.address : routes.find((route) => route === tidy && route !== path);
}

const bound = z.object({ port: z.number() });

async function answerRoute(
  { routes, log }: ReceiverOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  request.resume();
  if (!route) return respond(response, { status: 404, body: 'Not found' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respond(response, reject('method', 405, 'Method not allowed', { Allow: 'GET, HEAD' }));
  try {
    respond(response, await route());
  } catch (error) {
    log.error({ path, err: error }, 'route failed');
    respond(response, internalError);
  }
}
