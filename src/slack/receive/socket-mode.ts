import type { Duplex } from 'node:stream';

import { LogLevel, SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';

import { dispatcherFor } from '../../http/send.ts';
import { tellingPassages } from '../../http/tunnel.ts';
import { fetchThrough, sdkLogger } from '../web-api/web-client.ts';
import { parseJson } from '../../text/words.ts';
import type { EventsRouteOptions } from './events-route.ts';
import { readPayload } from './payloads.ts';
import { SlackError, toSlackError } from '../web-api/slack-error.ts';

interface SocketModeOptions extends Pick<
  EventsRouteOptions,
  'clock' | 'dispatch' | 'log' | 'onAnswer' | 'ownTeam'
> {
  readonly appToken: () => string;
  /** Ends with `/api/`. */
  readonly slackApiUrl: string;
  /** Called for each opened or closed connection, and when one could not be opened. */
  readonly onConnections: (open: number, problem?: string) => void;
  /** Called when a connection opens, with Slack's count of this app's connections, including other replicas. */
  readonly onCounted: (connections: number) => void;
  /** Called if Slack rejects the token permanently. */
  readonly onRefused: (problem: string) => void;
}

export type SocketMode = ReturnType<typeof createSocketMode>;

/** Slack sends each payload over one connection and refreshes the connections in turn, so one is always open. */
const connections = 2;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const pingTimeoutMs = 15_000;

/** For apps.connections.open, where a retry is useless. */
const refusals = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'not_allowed_token_type',
  'missing_scope',
]);

const envelope = z.looseObject({
  body: z.unknown(),
  ack: z.custom<(answer?: object) => Promise<void>>((value) => typeof value === 'function'),
});

/** Slack's first message on a connection. Its client does not pass it on, so it is read from the raw text. */
const hello = z
  .string()
  .transform(parseJson)
  .pipe(z.object({ type: z.literal('hello'), num_connections: z.int().nonnegative() }));

/** For the same dispatch as HTTP. Reconnects with growing pauses. */
export function createSocketMode(options: SocketModeOptions) {
  const { clock, log } = options;
  const open = new Set<SocketModeClient>();
  const stopping = new AbortController();

  const connect = async (): Promise<SocketModeClient> => {
    const client = newClient(options);
    client.on('slack_event', (event: unknown) => void receive(options, event));
    await client.start().catch((error: unknown) => {
      throw toSlackError('apps.connections.open', error);
    });
    if (stopping.signal.aborted) {
      await client.disconnect();
      throw new Error('stopped while connecting');
    }
    open.add(client);
    options.onConnections(open.size);
    return client;
  };

  const notConnected = (error: unknown): undefined => {
    if (stopping.signal.aborted) return;
    log.warn({ err: error }, 'Socket Mode connection failed');
    const why = error instanceof Error ? error.message : '';
    options.onConnections(open.size, `${open.size} of ${connections} connections are open: ${why}`);
    if (error instanceof SlackError && refusals.has(error.slackCode)) options.onRefused(error.message);
  };

  const keep = async (first: Promise<SocketModeClient>): Promise<void> => {
    let client: SocketModeClient | undefined = await first.catch(notConnected);
    let pause = firstPauseMs;
    while (!stopping.signal.aborted) {
      if (client) {
        await closed(client);
        open.delete(client);
        options.onConnections(open.size, `a connection was closed, ${open.size} of ${connections} left`);
        pause = firstPauseMs;
      } else await clock.wait(pause);
      if (stopping.signal.aborted) return;
      client = await connect().catch(notConnected);
      if (!client) pause = Math.min(pause * 2, longestPauseMs);
    }
  };

  return {
    /** Resolves once one connection is open. @throws SlackError if none can be opened */
    async start(): Promise<void> {
      const attempts = Array.from({ length: connections }, () => connect());
      await Promise.any(attempts).catch((error: unknown) => {
        throw error instanceof AggregateError ? error.errors[0] : error;
      });
      for (const attempt of attempts) {
        keep(attempt).catch((error: unknown) =>
          log.error({ err: error }, 'gave up on a Socket Mode connection'),
        );
      }
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled([...open].map((client) => client.disconnect()));
    },
  };
}

function newClient({ appToken, slackApiUrl, log, onCounted }: SocketModeOptions): SocketModeClient {
  const [dispatcher, timeoutMs] = [dispatcherFor(slackApiUrl), 10_000];
  let socket: Duplex | undefined;
  const client = new SocketModeClient({
    appToken: appToken(),
    // The client's own reconnecting would turn a failure into an unhandled rejection.
    autoReconnectEnabled: false,
    logger: sdkLogger(log, 'bolt'),
    logLevel: LogLevel.ERROR,
    dispatcher: dispatcher.compose(tellingPassages((opened) => void (socket = opened))),
    clientPingTimeout: pingTimeoutMs,
    clientOptions: {
      slackApiUrl,
      retryConfig: { retries: 0 },
      fetch: fetchThrough({ dispatcher, timeoutMs, token: appToken }),
    },
  });
  // If the peer no longer reads, the client would leave the socket open, and Slack would keep using it.
  client.on('disconnected', () => void socket?.destroy());
  const count = (message: unknown): void => {
    const { data } = hello.safeParse(message);
    if (!data) return;
    client.off('ws_message', count);
    onCounted(data.num_connections);
  };
  client.on('ws_message', count);
  return client;
}

const closed = (client: SocketModeClient): Promise<void> =>
  new Promise((resolve) => {
    client.once('disconnected', () => resolve());
  });

async function receive(options: SocketModeOptions, event: unknown): Promise<void> {
  const { dispatch, clock, log, onAnswer, ownTeam } = options;
  const arrived = clock.now();
  const parsed = envelope.safeParse(event);
  if (!parsed.success) return;
  const { kind, status, body } = await dispatch(readPayload(parsed.data.body, ownTeam));
  onAnswer?.(kind, status === 503 ? 503 : 200, clock.now() - arrived);
  // Without an acknowledgement, Slack marks the click as failed or sends the event again.
  if (status === 503) return;
  await parsed.data.ack(body).catch((error: unknown) => log.warn({ err: error }, 'acknowledgement not sent'));
}
