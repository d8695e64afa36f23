import { badInput, type BellhopError } from '../../model/values/errors.ts';

/** A `query` reads and may be sent again. A `change` alters something and must never be sent twice. */
export type CallKind = 'query' | 'change';

interface Endpoint<Path extends `/${string}` = `/${string}`> {
  readonly kind: CallKind;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: Path;
}

/** @param path under the base URL, with `{name}` for each parameter */
const endpointOf =
  (kind: CallKind) =>
  <Path extends `/${string}`>(method: Endpoint['method'], path: Path): Endpoint<Path> => ({
    kind,
    method,
    path,
  });

export const [query, change] = [endpointOf('query'), endpointOf('change')];

/** Logs, metrics and the playground use the name. One host serves several areas, and the failure of one says nothing about the others. */
export interface NamedEndpoint extends Endpoint {
  readonly name: string;
  readonly area: string;
}

type PathParameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

export interface CallRequest {
  readonly endpoint: NamedEndpoint;
  /** The path is encoded, without the prefix of the base URL, with the query string if any. */
  readonly path: string;
  readonly body?: unknown;
  /** These secrets in the body are hidden in the service's answer. */
  readonly secrets?: readonly string[];
}

interface CallParts extends Omit<CallRequest, 'endpoint' | 'path'> {
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a function that makes calls of an area's endpoints, ready to be sent. Each value becomes exactly one encoded
 * segment of the path. The function throws BellhopError `bad-input` if a value is empty or could change the path.
 */
export const callsTo =
  <Endpoints extends Readonly<Record<string, Endpoint>>>(area: string, endpoints: Endpoints) =>
  <Name extends keyof Endpoints & string>(
    name: Name,
    values: Readonly<Record<PathParameters<Endpoints[Name]['path']>, string | number>>,
    { query: search, ...rest }: CallParts = {},
  ): CallRequest => {
    const given = new Map(Object.entries<string | number>(values));
    const endpoint = { ...endpoints[name], name, area };
    const path = endpoint.path.replaceAll(/\{(\w+)\}/gu, (_, parameter: string) =>
      segment(parameter, given.get(parameter) ?? ''),
    );
    return { endpoint, path: search ? `${path}?${new URLSearchParams(search).toString()}` : path, ...rest };
  };

function segment(name: string, value: string | number): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return String(value);
    throw badSegment(name, 'takes a whole number, 0 or more');
  }
  if (value.trim() === '') throw badSegment(name, 'is missing');
  if (!value.isWellFormed()) throw badSegment(name, 'contains half a character');
  if (climbs(value)) {
    throw badSegment(name, "can't have “.” or “..” as a segment");
  }
  return encodeURIComponent(value);
}

/**
 * Whether a path leads out of its folder. Proxies may decode %2F before they resolve dots, so dots are checked on
 * either side of any slash.
 */
export const climbs = (path: string): boolean =>
  path
    .replaceAll(/%2e/giu, '.')
    .split(/[/\\]|%2f|%5c/iu)
    .some((part) => part === '.' || part === '..');

function badSegment(name: string, problem: string): BellhopError {
  return badInput(`${name} ${problem}. Nothing was sent.`);
}
