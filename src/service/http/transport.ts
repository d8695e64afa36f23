import { setTimeout as delay } from 'node:timers/promises';

import type { Log } from '../../model/ports.ts';
import { badConfiguration, type CallOutcome, ServiceError } from '../../model/values/errors.ts';
import type { CallRequest, NamedEndpoint } from '../schemas/endpoints.ts';
import type { Attempt, ResponseHeaders } from '../../http/exchange.ts';
import { createRedactor, type MaskText } from '../../command/redactor.ts';
import { exactJson } from '../../text/exact.ts';
import { clipLine } from '../../text/words.ts';
import { type Accepted, readAccepted } from '../errors/reply.ts';
import { type CallSettings, interfaceSettings, keyAccepted } from '../errors/service-failure.ts';
import {
  type BaseUrl,
  type ServiceHost,
  type RetryPorts,
  type Sent,
  type Timings,
  createHost,
  readBaseUrl,
  standardTimings,
} from './host.ts';

export interface CallContext {
  /** Sent as `X-Request-Id`. */
  readonly correlationId: string;
  /** Aborts the call. The call is then not sent, or has an unknown outcome if it is a change and bytes had left. */
  readonly signal?: AbortSignal | undefined;
  /** Called right before the first byte of every attempt. If false, nothing is sent. */
  readonly maySend?: (() => boolean) | undefined;
  /** For an agent: sent once, because agents repeat their own calls. */
  readonly once?: boolean | undefined;
}

/** Wraps a call, for example in a span, and may add headers. */
type AroundCall = (
  endpoint: NamedEndpoint,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
) => Promise<Sent>;

/** `baseUrl` is http or https, perhaps with a path prefix. */
export interface TransportOptions extends CallObserver {
  readonly baseUrl: string;
  /** Two keys during a rotation. */
  readonly apiKeys: () => readonly string[];
  readonly settings?: CallSettings | undefined;
  readonly around?: AroundCall | undefined;
  /** Masks every returned text. The API keys of the start are always hidden. */
  readonly mask?: MaskText | undefined;
  readonly timings?: Partial<Timings>;
  readonly ports?: Partial<RetryPorts>;
}

export interface CallRecord {
  readonly endpoint: string;
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly outcome: 'succeeded' | CallOutcome;
  readonly milliseconds: number;
  /** 0 if no attempt was admitted. */
  readonly attempts: number;
  /** Undefined if the answer says nothing about the key. */
  readonly keyAccepted?: boolean | undefined;
}

interface CallObserver {
  readonly afterCall?: ((call: CallRecord) => void) | undefined;
  /** Called when the circuit breaker of an area opens or closes. An open breaker pauses the area's calls. */
  readonly onBreaker?: ((open: boolean, area: string) => void) | undefined;
  readonly logger?: Pick<Log, 'warn'> | undefined;
}

export interface Transport {
  /** Sends one call and reads the accepted answer. @throws ServiceError unless the answer is a readable 2xx */
  call<Value>(
    request: CallRequest,
    context: CallContext,
    read: (accepted: Accepted) => Value,
  ): Promise<Value>;
  /** Refuses new calls and waits for the running ones. */
  close(): Promise<void>;
}

export const systemPorts: RetryPorts = {
  now: () => Date.now(),
  random: () => Math.random(),
  pause: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};

/** @throws BellhopError `configuration` for an invalid base URL or key */
export function createTransport(options: TransportOptions): Transport {
  const { apiKeys, logger, settings = interfaceSettings } = options;
  const timings = { ...standardTimings, ...options.timings };
  const ports = { ...systemPorts, ...options.ports };
  const { origin, prefix } = baseOf(options.baseUrl);
  for (const key of apiKeys()) refuseUnusable(key, settings);
  const onBreaker = (open: boolean, area: string): void => {
    if (open) logger?.warn({ host: origin, area }, 'circuit breaker open: calls to this area are paused');
    options.onBreaker?.(open, area);
  };
  const host = createHost(origin, timings, ports, onBreaker);
  const mask = hiding(apiKeys(), options.mask);
  const noteDeprecation = createDeprecationNotice(logger, mask);
  return {
    async call(request, context, read) {
      const started = performance.now();
      const { attempt, attempts } = await sendTo(host, prefix, options, request, context);
      const waitedMs = Math.min(performance.now() - started, timings.deadlineMs);
      const { endpoint, path } = request;
      const { name, area, kind, method } = endpoint;
      const ended = (outcome: 'succeeded' | CallOutcome, status: number | undefined): void =>
        reportCall(options, mask, {
          endpoint: name,
          area,
          method,
          path,
          outcome,
          attempts,
          milliseconds: performance.now() - started,
          status,
          keyAccepted: outcome === 'succeeded' || keyAccepted(attempt, mask),
        });
      try {
        if (attempt.kind === 'answer') noteDeprecation(endpoint, attempt.headers);
        const hide = request.secrets === undefined ? mask : hiding(request.secrets, mask);
        const now = ports.now();
        const call = { kind, method, path, attempts, mask: hide, now, settings };
        const value = readAccepted(attempt, call, waitedMs, read);
        ended('succeeded', attempt.status);
        return value;
      } catch (error) {
        if (error instanceof ServiceError) ended(error.outcome, error.status);
        throw error;
      }
    },
    close: () => host.close(),
  };
}

/** The call's span begins before the call waits for a slot. */
function sendTo(
  host: ServiceHost<string>,
  prefix: string,
  { apiKeys, around = (_, send) => send({}) }: TransportOptions,
  { endpoint, path, body }: CallRequest,
  context: CallContext,
): Promise<Sent> {
  return around(endpoint, (more) => {
    const { area, kind, method } = endpoint;
    const outgoing = {
      method,
      path: prefix + path,
      headers: { ...commonHeaders, ...more },
      body: body === undefined ? undefined : exactJson(body),
    };
    return host.send(outgoing, {
      ...context,
      kind,
      part: area,
      each: (attempt) => withKeys(apiKeys(), (authorization) => attempt({ authorization })),
    });
  });
}

const badAddress = {
  'no http address': 'API_BASE_URL must be an http or https address, like https://host/prefix.',
  login: 'API_BASE_URL must not contain a user name or password: put the key into API_KEY.',
  query: 'API_BASE_URL must end before any "?" or "#".',
} as const;

/** @throws BellhopError `configuration` that names the variable but not the value, which may hold a password */
function baseOf(text: string): BaseUrl {
  const base = readBaseUrl(text);
  if (typeof base === 'string') throw badConfiguration(badAddress[base]);
  return base;
}

const commonHeaders = { accept: 'application/json', 'user-agent': 'bellhop' };

/** After a 401, the service has done nothing yet, so the old key is tried. */
async function withKeys(
  [key = '', old]: readonly string[],
  send: (authorization: string) => Promise<Attempt>,
): Promise<Attempt> {
  const attempt = await send(`apikey ${key}`);
  const isRefused = attempt.kind === 'answer' && attempt.status === 401;
  return isRefused && old !== undefined ? send(`apikey ${old}`) : attempt;
}

/** Hides these secrets in every form that the redactor knows, then applies the given mask. */
function hiding(secrets: readonly string[], more: MaskText = (text) => text): MaskText {
  const own = createRedactor();
  for (const secret of secrets) own.learn(secret);
  return (text) => more(own.redact(text));
}

function refuseUnusable(apiKey: string, { key }: CallSettings): void {
  if (!/^[\x21-\x7E]+$/.test(apiKey)) {
    throw badConfiguration(`${key} must be printable ASCII characters without spaces.`);
  }
}

/** A successful change must not become a failed one through an observer's error. */
function reportCall(observer: CallObserver, mask: MaskText, call: CallRecord): void {
  try {
    observer.afterCall?.({ ...call, path: mask(call.path) });
  } catch (error) {
    observer.logger?.warn({ err: error }, 'call observer failed');
  }
}

/** Once for each endpoint. */
function createDeprecationNotice(
  logger: Pick<Log, 'warn'> | undefined,
  mask: MaskText,
): (endpoint: NamedEndpoint, headers: ResponseHeaders) => void {
  const noticed = new Set<string>();
  return ({ name: endpoint, method, path }, headers) => {
    const [deprecation, sunset] = ['deprecation', 'sunset'].map(
      (header) => headers[header] && clipLine(mask(String(headers[header])), 200),
    );
    if ((deprecation ?? sunset) === undefined || noticed.has(endpoint)) return;
    noticed.add(endpoint);
    logger?.warn({ endpoint, method, path, deprecation, sunset }, 'the service deprecates this endpoint');
  };
}
