/** `query` reads and may be sent again; `change` alters something and must never be sent twice. */
export type CallKind = 'query' | 'change';

/** One host serves several areas. One that fails says nothing about the others. */
export const areas = ['cloud', 'cdn', 'storage'] as const;
export type Area = (typeof areas)[number];

export interface Endpoint {
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under the base URL, with `{name}` for each parameter. */
  readonly path: `/${string}`;
  readonly kind: CallKind;
}

/**
 * Every call that Bellhop makes: the ten endpoints and the extensions of docs/interface.md. The names here are those of
 * logs, metrics and the playground's faults.
 */
export const endpoints = {
  queryMetrics: { area: 'cdn', method: 'POST', path: '/cdn/advanced/v1/metrics', kind: 'query' },
  listCapacity: { area: 'cdn', method: 'GET', path: '/cdn/advanced/v1/capacity', kind: 'query' },
  updateRawLogSettings: { area: 'cdn', method: 'PUT', path: '/cdn/raw_log_settings', kind: 'change' },
  rebootInstance: {
    area: 'cloud',
    method: 'POST',
    path: '/cloud/v1/instances/{project}/{region}/{id}/reboot',
    kind: 'change',
  },
  stopInstance: {
    area: 'cloud',
    method: 'POST',
    path: '/cloud/v1/instances/{project}/{region}/{id}/stop',
    kind: 'change',
  },
  getContainer: {
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/caas/{project}/{region}/containers/{name}',
    kind: 'query',
  },
  listFloatingIps: {
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/availablefloatingips/{project}/{region}',
    kind: 'query',
  },
  postStorageEvent: {
    area: 'storage',
    method: 'POST',
    path: '/storage/notifications/v1/event',
    kind: 'change',
  },
  describeStorageEvents: {
    area: 'storage',
    method: 'GET',
    path: '/storage/notifications/v1/events/configurator',
    kind: 'query',
  },
  listStorageEvents: {
    area: 'storage',
    method: 'GET',
    path: '/storage/notifications/v1/events',
    kind: 'query',
  },
  actOnInstance: {
    area: 'cloud',
    method: 'POST',
    path: '/cloud/v2/instances/{project}/{region}/{id}/action',
    kind: 'change',
  },
  listInstances: {
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/instances/{project}/{region}',
    kind: 'query',
  },
  readInstance: {
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/instances/{project}/{region}/{id}',
    kind: 'query',
  },
  changeStorageEvent: {
    area: 'storage',
    method: 'PUT',
    path: '/storage/notifications/v1/event',
    kind: 'change',
  },
  deleteStorageEvent: {
    area: 'storage',
    method: 'DELETE',
    path: '/storage/notifications/v1/event',
    kind: 'change',
  },
  readTask: { area: 'cloud', method: 'GET', path: '/cloud/v1/tasks/{id}', kind: 'query' },
  listTasks: { area: 'cloud', method: 'GET', path: '/cloud/v1/tasks', kind: 'query' },
  purgeResource: { area: 'cdn', method: 'POST', path: '/cdn/resources/{resource}/purge', kind: 'change' },
  listPurges: { area: 'cdn', method: 'GET', path: '/cdn/purge_statuses', kind: 'query' },
  listHeldFloatingIps: {
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/floatingips/{project}/{region}',
    kind: 'query',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
