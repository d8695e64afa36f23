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

/** For callers other than Slack, also in Socket Mode. */
export interface Route {
  /** The first group, if any, is the name. */
  readonly path: RegExp;
  readonly handle: NamedRoute;
  /** The right address, logged for a request to a slightly wrong path. */
  readonly address?: string;
}

export interface ReceiverLimits extends BodyBounds {
  /** In milliseconds. A request that arrives more slowly gets a 408. */
  readonly arrivalMs: number;
  /** Including their work. Further payloads are rejected. */
  readonly inFlight: number;
}

export const receiverLimits: ReceiverLimits = {
  body: 1024 * 1024,
  allBodies: 64 * 1024 * 1024,
  arrivalMs: 10_000,
  // Ten seconds of 50 payloads per second while Slack or the store hangs, and as many whose work is not done.
  inFlight: 1_000,
};

export interface ReceiverOptions
  extends Omit<DispatchPorts, 'process' | 'maxInFlight'>, Omit<EventsRouteOptions, 'dispatch' | 'stopping'> {
  readonly limits: ReceiverLimits;
  /** For GET and HEAD: `/healthz`, `/readyz` and `/metrics`. */
  readonly routes: Readonly<Record<string, () => Promise<PlainReply>>>;
}

export type SlackReceiver = ReturnType<typeof createReceiver>;

export const eventsPath = '/slack/events';

/** Slack and proxies keep a few dozen. */
const maxConnections = 2_000;

/** A receiver for Bolt on node:http, which checks the signature and leaves the rest to `dispatch.ts`. */
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
    /** For a connection that did not come in through the port, such as one in memory. */
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
    /** From now on, `/slack/events` answers 503. Other routes work until `close`. */
    stop: (): Promise<void> => {
      // A probe over an open connection must see that this replica is not ready.
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

/** Logs once for each known path that a request probably meant it. */
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

/** @param fromSlack whether the request has a Slack signature */
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
