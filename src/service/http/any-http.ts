import type { z } from 'zod';

import type { MaskText } from '../../command/redactor.ts';
import { type Accepted, jsonBody, readAccepted } from '../errors/reply.ts';
import type { Log } from '../../model/ports.ts';
import { BellhopError, ServiceError } from '../../model/values/errors.ts';
import { exactJson } from '../../text/exact.ts';
import { isLoopback } from '../../text/host.ts';
import { orUndefined } from '../../text/words.ts';
import type { Body, Http, HttpCaller, HttpFor } from '../../model/operation.ts';
import { climbs } from '../schemas/endpoints.ts';
import {
  type BaseUrl,
  createHost,
  type ServiceHost,
  type HostRequest,
  readBaseUrl,
  standardTimings,
  type Timings,
} from './host.ts';
import { systemPorts } from './transport.ts';

export interface HttpRecord {
  readonly operation: string;
  readonly host: string;
  readonly method: string;
  readonly status?: number | undefined;
  readonly outcome: 'succeeded' | ServiceError['outcome'];
  readonly milliseconds: number;
}

interface HttpOptions {
  /** Allows plain http only to this machine. */
  readonly production: boolean;
  readonly mask: MaskText;
  readonly logger: Pick<Log, 'warn'>;
  readonly afterCall: (call: HttpRecord) => void;
  readonly timings?: Partial<Timings>;
}

type Change = Parameters<Http['send']>[0];
type Read<T> = (accepted: Accepted) => T;

/** Only this many hosts keep slots and a breaker. Beyond that, the oldest host is dropped. */
const maxHosts = 200;

/** In bytes. Larger answers are refused. */
const largestAnswer = 8 * 1024 * 1024;

/** If a service refuses a call, people should check the operation's own settings. */
const settings = {
  address: 'the address that the operation uses',
  key: 'the credentials that the operation sends',
};

/** HTTP for your own operations, with the same slots, breaker, deadline and errors as the client of the interface. */
export function createHttp(options: HttpOptions) {
  const hosts = createHosts(options);
  const httpFor: HttpFor = (caller) => {
    const command = { ...options, hosts, caller, left: new Set<object>() };
    return (base, { headers = {} } = {}) => connect(command, base, headers);
  };
  return { httpFor, close: () => hosts.close() };
}

function createHosts({ logger, timings: own }: HttpOptions) {
  const timings = { ...standardTimings, maxBodyBytes: largestAnswer, ...own };
  const hosts = new Map<string, ServiceHost<'all'>>();
  return {
    get(origin: string): ServiceHost<'all'> {
      const warn = (open: boolean): void => {
        if (open) logger.warn({ host: origin }, 'circuit breaker open: calls to this host are paused');
      };
      const host = hosts.getOrInsertComputed(origin, () => createHost(origin, timings, systemPorts, warn));
      const [first = origin] = hosts.keys();
      if (hosts.size > maxHosts) {
        void hosts.get(first)?.close();
        hosts.delete(first);
      }
      return host;
    },
    close: async () => void (await Promise.all([...hosts.values()].map((host) => host.close()))),
  };
}

interface Command extends HttpOptions {
  readonly hosts: Pick<ReturnType<typeof createHosts>, 'get'>;
  readonly caller: HttpCaller;
  /**
   * The changes that this run may have sent and that the service did not refuse. While there are any, a failure does
   * not prove that nothing happened.
   */
  readonly left: Set<object>;
}

interface Call<T> extends Body {
  readonly method: Change | 'GET';
  readonly path: string;
  readonly read: Read<T>;
}

/** @throws BellhopError `not-sent` for an invalid address */
function connect(command: Command, base: string, headers: Readonly<Record<string, string>>): Http {
  const at = baseOf(base, command.production);
  function get(path: string): Promise<unknown>;
  function get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  function get(path: string, schema?: z.ZodType): Promise<unknown> {
    return handedOut(call(command, at, headers, { method: 'GET', path, read: jsonOf(schema) }));
  }
  function send(method: Change, path: string, body?: Body): Promise<unknown>;
  function send<S extends z.ZodType>(
    method: Change,
    path: string,
    body: Body & { readonly schema: S },
  ): Promise<z.output<S>>;
  function send(
    method: Change,
    path: string,
    { schema, ...body }: Body & { readonly schema?: z.ZodType } = {},
  ): Promise<unknown> {
    return handedOut(call(command, at, headers, { ...body, method, path, read: jsonOf(schema) }));
  }
  const bytes = (path: string): Promise<Uint8Array> =>
    handedOut(call(command, at, headers, { method: 'GET', path, read: ({ body }) => body }));
  return { get, bytes, send };
}

/** Marks a rejection as handled, because an operation may start two calls and never wait for the second. */
function handedOut<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** A service that Bellhop does not know proves only with a 4xx that nothing happened. */
const provesRefusal = (status: number): boolean => status >= 400 && status < 500;

async function call<T>(
  { hosts, caller, left, mask, afterCall }: Command,
  { origin, prefix }: BaseUrl,
  headers: Readonly<Record<string, string>>,
  { method, path, read, ...content }: Call<T>,
): Promise<T> {
  const kind = method === 'GET' ? 'query' : 'change';
  const { operation, correlationId, signal, once, timeoutMs: deadlineMs } = caller;
  const request = {
    method,
    path: joined(prefix, path),
    headers: { accept: 'application/json', 'user-agent': 'bellhop', ...headers },
    ...bodyOf(content),
  };
  const sending = {};
  const leave = (): boolean => {
    const may = caller.maySend?.() ?? true;
    if (may) left.add(sending);
    return may;
  };
  const maySend = kind === 'change' ? leave : undefined;
  const limits = { signal, maySend, once, deadlineMs, answeredOnce: true };
  const began = performance.now();
  const { attempt, attempts } = await hosts
    .get(origin)
    .send(request, { ...limits, kind, part: 'all', correlationId });
  const milliseconds = performance.now() - began;
  // The run of a change may already have changed something, so its failed query proves no more than a failed change.
  const failedKind = caller.maySend === undefined ? kind : 'change';
  const about = { kind: failedKind, provesRefusal, settings } as const;
  // The error names the host, because your own operation may call several services.
  const named = `${URL.parse(origin)?.host || `${origin}:`}${path}`;
  const failing = { ...about, method, path: named, attempts, mask, now: Date.now() };
  const record = { operation, host: origin, method, milliseconds, status: attempt.status };
  try {
    const value = readAccepted(attempt, failing, milliseconds, read);
    afterCall({ ...record, outcome: 'succeeded' });
    return value;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    afterCall({ ...record, outcome: error.outcome });
    if (error.outcome !== 'unknown-outcome') left.delete(sending);
    throw error.outcome !== 'unknown-outcome' && left.size > 0 ? afterChange(error) : error;
  }
}

/** A failure after another change was sent does not prove that nothing happened. */
const afterChange = (error: ServiceError): ServiceError =>
  new ServiceError(
    'unknown-outcome',
    `Another call of this command was sent, and may have taken effect. This call failed: ${error.message}`,
    { method: error.method, path: error.path, status: error.status, cause: error },
  );

const badAddress = {
  'no http address': 'http takes an http or https address, such as https://lb.example.com/api',
  login: 'the address contains a user name or password: send them in a header, from context.secret',
  query: 'the address must end before any “?” or “#”',
  socket:
    'a socket is an absolute path, such as unix:/run/docker.sock, with special characters percent-encoded',
} as const;

/** @throws BellhopError `not-sent`, without the address, which may contain a password */
function baseOf(text: string, production: boolean): BaseUrl {
  const base = readSocket(text) ?? readBaseUrl(text);
  if (typeof base === 'string') throw unsent(badAddress[base]);
  const { protocol, host, hostname } = new URL(base.origin);
  if (production && protocol === 'http:' && !isLoopback(hostname))
    throw unsent(`${host} is another machine, which production allows only over https`);
  return base;
}

function readSocket(text: unknown): BaseUrl | 'socket' | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url?.protocol !== 'unix:') return undefined;
  const { host, pathname, search, hash } = url;
  const path = orUndefined(() => decodeURIComponent(pathname)) ?? '';
  const isPath = path.startsWith('/') && !/\p{Cc}/u.test(path) && host + search + hash === '';
  return isPath ? { origin: `unix:${pathname}`, prefix: '' } : 'socket';
}

/** Returns a path that is always below the prefix. @throws BellhopError `not-sent` */
function joined(prefix: string, path: string): string {
  if (typeof path !== 'string' || !path.startsWith('/')) throw unsent('a path begins with “/”');
  const whole = `${prefix}${path}`;
  const [route = ''] = whole.split(/[?#]/u);
  if (climbs(route))
    throw unsent(
      'a path may not contain “.” or “..” as a part: use encodeURIComponent for what people enter',
    );
  if (/[^\x21-\x7E]/u.test(whole) || whole.includes('#'))
    throw unsent('a path may contain only URL characters: use encodeURIComponent for what people enter');
  return whole;
}

/** In UTF-16 units. */
const largestBody = 8 * 1024 * 1024;

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .+:-]*"))*$/u;

/** @throws BellhopError `not-sent` */
function bodyOf({ json, form, text, type }: Body): Pick<HostRequest, 'body' | 'type'> {
  const given = [json, form, text].filter((one) => one !== undefined);
  if (given.length > 1) throw unsent('a body is one of json, form and text');
  if (type !== undefined && (!mediaType.test(type) || type.length > 200))
    throw unsent('the type is not a content type, such as application/merge-patch+json');
  if (form && type !== undefined) throw unsent('a form has a content type of its own');
  if (text !== undefined && (typeof text !== 'string' || type === undefined))
    throw unsent('a text needs a type, such as text/xml');
  const body = text ?? (form ? formText(form) : jsonText(json));
  if (body === undefined) return { body };
  if (body.length > largestBody) throw unsent('the body is longer than 8 MiB');
  return { body, type: form ? 'application/x-www-form-urlencoded' : (type ?? 'application/json') };
}

const formText = (form: NonNullable<Body['form']>): string =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString();

function jsonText(json: unknown): string | undefined {
  try {
    return json === undefined ? undefined : exactJson(json);
  } catch (error) {
    throw unsent("the body can't be serialized as JSON", error);
  }
}

const unsent = (why: string, cause?: unknown): BellhopError =>
  new BellhopError('not-sent', `Not sent: ${why}. Fix the operation.`, { cause });

/** Reads a body as JSON. @throws ServiceError if the body is not JSON, or does not fit the schema */
const jsonOf =
  (schema?: z.ZodType): Read<unknown> =>
  (accepted) => {
    const json = accepted.body.length === 0 ? undefined : jsonBody(accepted);
    if (!schema) return json;
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw accepted.refuse(
      `${issue?.path.map(String).join('.') || 'the body'}: ${issue?.message ?? 'does not fit'}`,
    );
  };
