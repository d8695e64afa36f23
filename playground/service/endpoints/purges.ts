import { z } from '@hono/zod-openapi';
import {
  purgeList,
  purgeRequest,
  purgeStatuses,
  purgeTypes,
  type PurgeList,
} from '../../../src/areas/cdn/client/purge.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import { sites } from '../metrics/audience.ts';
import type { StoredPurge } from '../state/purge-store.ts';
import { page, paged, queryTime } from '../http/page-query.ts';
import { resourcePath } from '../http/path-params.ts';

export const purgeResource = endpoint({
  name: 'purgeResource',
  method: 'post',
  path: '/cdn/resources/{resource_id}/purge',
  summary: 'Purge a CDN resource',
  description:
    'urls: exact paths. paths: patterns; an empty list purges everything. A purge takes a few seconds.',
  extension: 'cdn-purge',
  changes: true,
  params: resourcePath,
  body: purgeRequest,
  status: 201,
  failures: { 404: 'no such resource' },
  run: (call, { store, clock }) => {
    const { resource_id: resource } = read(resourcePath, call.params);
    const body = read(purgeRequest, call.json);
    if (!sites.some((site) => site.resource === resource))
      throw new Failure(404, `CDN resource ${String(resource)} could not be found`);
    const created = clock.now();
    store.keepClock(created);
    const [urls, paths] = 'urls' in body ? [body.urls, null] : [null, body.paths];
    store.addPurge({ resource, urls, paths, created });
  },
});

const filter = page.extend({
  cname: z.string().optional().describe('only purges of the resource with this host name'),
  status: z.enum(purgeStatuses).optional().describe('only purges with this status'),
  purge_type: z.enum(purgeTypes).optional().describe('only purges of this kind'),
  from_created: queryTime('only purges requested at or after this time'),
  to_created: queryTime('only purges requested at or before this time'),
});

export const listPurges = endpoint({
  name: 'listPurges',
  method: 'get',
  path: '/cdn/purge_statuses',
  summary: 'List purges with their status',
  description: 'Newest first.',
  extension: 'cdn-purge',
  changes: false,
  query: filter,
  response: purgeList,
  run: (call, { store, clock }) => {
    const { limit, offset, from_created: from, to_created: to, ...wanted } = read(filter, call.query);
    const found = store
      .purges()
      .filter(({ created }) => created >= (from ?? 0) && created <= (to ?? Infinity))
      .map((one) => record(one, clock.now()))
      .filter(
        ({ resource, status, purge_type: type }) =>
          (wanted.cname ?? resource.cname) === resource.cname &&
          (wanted.status ?? status) === status &&
          (wanted.purge_type ?? type) === type,
      );
    return paged(found, '/cdn/purge_statuses', call.query, { limit, offset });
  },
});

type Purge = PurgeList['results'][number];

/** How long a purge takes, in milliseconds of the service's clock. */
const purgeMilliseconds = 8000;

const typeOf = ({ urls, paths }: StoredPurge): Purge['purge_type'] => {
  if (urls !== null) return 'purge_by_url';
  return paths?.length === 0 ? 'purge_all' : 'purge_by_pattern';
};

const record = (purge: StoredPurge, now: number): Purge => {
  const { id, resource, created, urls, paths } = purge;
  const cname = sites.find((site) => site.resource === resource)?.cname ?? '';
  return {
    purge_id: id,
    purge_type: typeOf(purge),
    status: now < created + purgeMilliseconds ? 'In progress' : 'Successful',
    created: new Date(created).toISOString(),
    resource: { id: resource, cname },
    payload: urls === null ? { paths: paths ?? [] } : { urls },
  };
};
