/** `query` reads and may be sent again; `change` alters something and must never be sent twice. */
export type CallKind = 'query' | 'change';

/** One host serves several areas. One that fails says nothing about the others. */
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

/**
 * Every call that Bellhop makes: the ten endpoints and the extensions of docs/interface.md. The names here are those of
 * logs, metrics and the playground's faults.
 */
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
