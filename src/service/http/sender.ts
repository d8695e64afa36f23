import { BellhopError, type CallOutcome } from '../../model/errors.ts';
import { type Area, type EndpointName, areas, endpoints } from '../schemas/endpoints.ts';
import type { Attempt, ResponseHeaders } from '../../http/exchange.ts';
import { type Sent, createHost } from './host.ts';
import type { RetryPorts, Timings } from './timings.ts';
import { type MaskText, clipLine } from '../errors/clean-text.ts';
import { type CallSettings, interfaceSettings } from '../errors/service-failure.ts';

/** Options of every call. */
export interface CallContext {
  /** Sent as `X-Request-Id`. */
  readonly correlationId: string;
  /** Aborts the call: not sent, or an unknown outcome if it was a change and bytes had left. */
  readonly signal?: AbortSignal | undefined;
  /** Called right before the first byte of every attempt; if false, nothing is sent. Default: always true. */
  readonly maySend?: (() => boolean) | undefined;
}

export interface CallRequest {
  readonly endpoint: EndpointName;
  /** Encoded, without the prefix of the base URL, with the query string if any. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Secrets in the body, hidden in the service's answers about it. */
  readonly secrets?: readonly string[];
}

/** Sends a call within something else, such as a span, with more headers. */
type AroundCall = (
  endpoint: EndpointName,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
) => Promise<Sent>;

export interface SenderOptions extends CallObserver {
  readonly baseUrl: string;
  /** Those of the moment: one, or while they are rotated the new one and the old one. */
  readonly apiKeys: () => readonly string[];
  /** What people call its address and key. */
  readonly settings?: CallSettings | undefined;
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
  const { settings = interfaceSettings } = options;
  for (const key of options.apiKeys()) refuseUnusable(key, settings);
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

function refuseUnusable(apiKey: string, { key }: CallSettings): void {
  if (!/^[\x21-\x7E]+$/.test(apiKey)) {
    throw new BellhopError('configuration', `${key} must be printable ASCII characters without spaces.`);
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
      'API_BASE_URL must not contain a user name or password: put the key into API_KEY.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BellhopError('configuration', 'API_BASE_URL must end before any "?" or "#".');
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}

/** One call to the service as it ended, for metrics. Retries are inside it. */
export interface CallRecord {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly outcome: 'succeeded' | CallOutcome;
  readonly milliseconds: number;
  /** Requests that were tried; 0 where none was let through. */
  readonly attempts: number;
}

interface CallObserver {
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** The circuit breaker of an area opens, so that its calls are paused for a while, or closes. */
  readonly onBreaker?: ((open: boolean, area: Area) => void) | undefined;
  readonly logger?: WarnLogger | undefined;
}

/** Calls the observer. If that throws, a successful change must not become a failed one. */
export function reportCall(observer: CallObserver, mask: MaskText, call: CallRecord): void {
  try {
    observer.onCall?.({ ...call, path: mask(call.path) });
  } catch (error) {
    observer.logger?.warn({ err: error }, 'call observer failed');
  }
}

export interface WarnLogger {
  warn(details: object, message: string): void;
}

/** Logs `Deprecation` and `Sunset` headers, once for each endpoint. */
export function createDeprecationNotice(
  logger: WarnLogger | undefined,
  mask: MaskText,
): (endpoint: EndpointName, headers: ResponseHeaders) => void {
  const noticed = new Set<EndpointName>();
  return (endpoint, headers) => {
    const deprecation = headerText(headers['deprecation'], mask);
    const sunset = headerText(headers['sunset'], mask);
    if ((deprecation ?? sunset) === undefined || noticed.has(endpoint)) return;
    noticed.add(endpoint);
    const { method, path } = endpoints[endpoint];
    logger?.warn({ endpoint, method, path, deprecation, sunset }, 'the service deprecates this endpoint');
  };
}

function headerText(value: string | string[] | undefined, mask: MaskText): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined ? undefined : clipLine(mask(text), 200);
}
