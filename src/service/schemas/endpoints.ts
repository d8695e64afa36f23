import { badInput, type BellhopError } from '../../model/values/errors.ts';

/** A `query` reads and may be sent again. A `change` alters something and must never be sent twice. */
export type CallKind = 'query' | 'change';

/** One host serves several areas. The failure of one area says nothing about the others. */
export const areas = ['cloud', 'cdn', 'storage'] as const;
export type Area = (typeof areas)[number];

/** @param path under the base URL, with `{name}` for each parameter */
const endpointOf =
  (kind: CallKind) =>
  <Path extends `/${string}`>(area: Area, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: Path) => ({
    area,
    method,
    path,
    kind,
  });

const [query, change] = [endpointOf('query'), endpointOf('change')];

/** Lists the ten endpoints and the extensions of docs/interface.md. Logs, metrics and the playground use these names. */
export const endpoints = {
  queryMetrics: query('cdn', 'POST', '/cdn/advanced/v1/metrics'),
  listCapacity: query('cdn', 'GET', '/cdn/advanced/v1/capacity'),
  updateRawLogSettings: change('cdn', 'PUT', '/cdn/raw_log_settings'),
  rebootInstance: change('cloud', 'POST', '/cloud/v1/instances/{project}/{region}/{id}/reboot'),
  stopInstance: change('cloud', 'POST', '/cloud/v1/instances/{project}/{region}/{id}/stop'),
  getContainer: query('cloud', 'GET', '/cloud/v1/caas/{project}/{region}/containers/{name}'),
  listFloatingIps: query('cloud', 'GET', '/cloud/v1/availablefloatingips/{project}/{region}'),
  postStorageEvent: change('storage', 'POST', '/storage/notifications/v1/event'),
  describeStorageEvents: query('storage', 'GET', '/storage/notifications/v1/events/configurator'),
  listStorageEvents: query('storage', 'GET', '/storage/notifications/v1/events'),
  actOnInstance: change('cloud', 'POST', '/cloud/v2/instances/{project}/{region}/{id}/action'),
  listInstances: query('cloud', 'GET', '/cloud/v1/instances/{project}/{region}'),
  readInstance: query('cloud', 'GET', '/cloud/v1/instances/{project}/{region}/{id}'),
  changeStorageEvent: change('storage', 'PUT', '/storage/notifications/v1/event'),
  deleteStorageEvent: change('storage', 'DELETE', '/storage/notifications/v1/event'),
  readTask: query('cloud', 'GET', '/cloud/v1/tasks/{id}'),
  listTasks: query('cloud', 'GET', '/cloud/v1/tasks'),
  purgeResource: change('cdn', 'POST', '/cdn/resources/{resource}/purge'),
  listPurges: query('cdn', 'GET', '/cdn/purge_statuses'),
  listHeldFloatingIps: query('cloud', 'GET', '/cloud/v1/floatingips/{project}/{region}'),
};

export type EndpointName = keyof typeof endpoints;

type PathParameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

export interface CallRequest {
  readonly endpoint: EndpointName;
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
 * Returns a call of an endpoint, ready to be sent. Each value becomes exactly one encoded segment of the path.
 * @throws BellhopError `bad-input` if a value is empty or could change the path
 */
export function callOf<E extends EndpointName>(
  endpoint: E,
  values: Readonly<Record<PathParameters<(typeof endpoints)[E]['path']>, string | number>>,
  { query: search, ...rest }: CallParts = {},
): CallRequest {
  const given = new Map(Object.entries<string | number>(values));
  const path = endpoints[endpoint].path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    segment(name, given.get(name) ?? ''),
  );
  return { endpoint, path: search ? `${path}?${new URLSearchParams(search).toString()}` : path, ...rest };
}

function segment(name: string, value: string | number): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return String(value);
    throw badSegment(name, 'takes a whole number, 0 or more');
  }
  if (value.trim() === '') throw badSegment(name, 'is missing');
  if (!value.isWellFormed()) throw badSegment(name, 'contains half a character');
  if (climbs(value)) {
    throw badSegment(name, 'may not contain "." or ".." as a part of a path');
  }
  return encodeURIComponent(value);
}

/** Whether a path climbs. Proxies may decode %2F before they resolve dots, so dots are checked on either side of any slash. */
export const climbs = (path: string): boolean =>
  path
    .replaceAll(/%2e/giu, '.')
    .split(/[/\\]|%2f|%5c/iu)
    .some((part) => part === '.' || part === '..');

function badSegment(name: string, problem: string): BellhopError {
  return badInput(`${name} ${problem}. Nothing was sent.`);
}
