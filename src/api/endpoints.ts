/** `query` looks and may be asked again; `change` alters something and must never be sent twice. */
export type CallKind = 'query' | 'change';

/** What stands behind one host is several services: one that fails says nothing of the others. */
export const areas = ['cloud', 'cdn', 'storage'] as const;
export type Area = (typeof areas)[number];

export interface Endpoint {
  /** Its number in logs, metrics and drills; `read` is the extension that reads one instance. */
  readonly row: number | 'read';
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Under the base URL, with `{name}` for each parameter. */
  readonly path: `/${string}`;
  readonly kind: CallKind;
}

/**
 * Every call that Bellhop makes: the ten endpoints and the extension of docs/interface.md.
 */
export const endpoints = {
  queryMetrics: { row: 1, area: 'cdn', method: 'POST', path: '/cdn/advanced/v1/metrics', kind: 'query' },
  listCapacity: { row: 2, area: 'cdn', method: 'GET', path: '/cdn/advanced/v1/capacity', kind: 'query' },
  updateRawLogSettings: { row: 3, area: 'cdn', method: 'PUT', path: '/cdn/raw_log_settings', kind: 'change' },
  rebootInstance: {
    row: 4,
    area: 'cloud',
    method: 'POST',
    path: '/cloud/v1/instances/{project}/{region}/{id}/reboot',
    kind: 'change',
  },
  stopInstance: {
    row: 5,
    area: 'cloud',
    method: 'POST',
    path: '/cloud/v1/instances/{project}/{region}/{id}/stop',
    kind: 'change',
  },
  getContainer: {
    row: 6,
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/caas/{project}/{region}/containers/{name}',
    kind: 'query',
  },
  listFloatingIps: {
    row: 7,
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/availablefloatingips/{project}/{region}',
    kind: 'query',
  },
  postStorageEvent: {
    row: 8,
    area: 'storage',
    method: 'POST',
    path: '/storage/notifications/v1/event',
    kind: 'change',
  },
  describeStorageEvents: {
    row: 9,
    area: 'storage',
    method: 'GET',
    path: '/storage/notifications/v1/events/configurator',
    kind: 'query',
  },
  listStorageEvents: {
    row: 10,
    area: 'storage',
    method: 'GET',
    path: '/storage/notifications/v1/events',
    kind: 'query',
  },
  readInstance: {
    row: 'read',
    area: 'cloud',
    method: 'GET',
    path: '/cloud/v1/instances/{project}/{region}/{id}',
    kind: 'query',
  },
} as const satisfies Record<string, Endpoint>;
