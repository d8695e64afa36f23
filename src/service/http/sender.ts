import { BellhopError } from '../../model/errors.ts';
import { areas, type EndpointName, endpoints } from '../schemas/endpoints.ts';
import type { Attempt } from '../../http/attempt.ts';
import type { CallObserver } from './call-observer.ts';
import { createHost, type Sent } from './host.ts';
import type { RetryPorts, Timings } from './timings.ts';

/** What goes with every call. */
export interface CallContext {
  /** Sent as `X-Request-Id`. */
  readonly correlationId: string;
  /** Gives the call up: not sent, or of unknown outcome where it was a change and bytes had left. */
  readonly signal?: AbortSignal | undefined;
  /** Asked right before the first byte of every attempt: where false, nothing of it is sent. Without it: always. */
  readonly maySend?: (() => boolean) | undefined;
}

export interface CallRequest {
  readonly endpoint: EndpointName;
  /** Encoded, without the prefix of the base URL, with the query string if any. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body: hidden in whatever the service says about it. */
  readonly secrets?: readonly string[];
}

/** Sends a call within something else, such as a span, with more headers. */
export type AroundCall = (
  endpoint: EndpointName,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
) => Promise<Sent>;

export interface SenderOptions extends CallObserver {
  readonly baseUrl: string;
  /** Those of the moment: one, or while they are rotated the new one and the old one. */
  readonly apiKeys: () => readonly string[];
  readonly around?: AroundCall | undefined;
}

interface CallSender {
  /** Resolves always, at the latest when the deadline of the call ends. */
  send(request: CallRequest, context: CallContext): Promise<Sent>;
  close(): Promise<void>;
}

/** Sends calls of the interface to its host. @throws BellhopError `configuration` */
export function createSender(options: SenderOptions, timings: Timings, ports: RetryPorts): CallSender {
  const { origin, prefix } = parseBaseUrl(options.baseUrl);
  options.apiKeys().forEach(refuseUnusable);
  const host = createHost(
    origin,
    timings,
    ports,
    (open, area) => {
      if (open)
        options.logger?.warn({ host: origin, area }, 'circuit breaker open: calls to this area are paused');
      options.onBreaker?.(open, area);
    },
    areas,
  );
  const around: AroundCall = options.around ?? ((_, send) => send({}));
  return {
    send: ({ endpoint, path, body }, context) =>
      around(endpoint, (more) => {
        const { area, kind, method } = endpoints[endpoint];
        const outgoing = {
          method,
          path: prefix + path,
          headers: { ...commonHeaders, ...more },
          body: body === undefined ? undefined : JSON.stringify(body),
        };
        return host.send(outgoing, {
          ...context,
          kind,
          part: area,
          each: (attempt) => withKeys(options.apiKeys(), (authorization) => attempt({ authorization })),
        });
      }),
    close: () => host.close(),
  };
}

const commonHeaders = { accept: 'application/json', 'user-agent': 'bellhop' };

/** A service that answers 401 has done nothing, so that the old key may be shown after the new one. */
async function withKeys(
  [key = '', old]: readonly string[],
  send: (authorization: string) => Promise<Attempt>,
): Promise<Attempt> {
  const attempt = await send(`apikey ${key}`);
  const isRefused = attempt.kind === 'answer' && attempt.status === 401;
  return isRefused && old !== undefined ? send(`apikey ${old}`) : attempt;
}

function refuseUnusable(apiKey: string): void {
  if (!/^[\x21-\x7E]+$/.test(apiKey)) {
    throw new BellhopError('configuration', 'API_KEY must be printable ASCII characters without spaces.');
  }
}

interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path prefix without a trailing slash, or "". */
  readonly prefix: string;
}

/**
 * Reads `API_BASE_URL`: http or https, perhaps a path prefix and a trailing slash.
 * @throws BellhopError `configuration` naming the variable; the value is never repeated, it may hold a password.
 */
function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must be an http or https address, like https://host/prefix.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must not hold a user name or password: put the key into API_KEY.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BellhopError('configuration', 'API_BASE_URL must end before any "?" or "#".');
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}
