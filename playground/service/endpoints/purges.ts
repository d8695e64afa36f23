import {
  everything,
  purgeAccepted,
  purgeList,
  purgeRequest,
  type PurgeList,
} from '../../../src/api/schemas/cdn/purge.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import { sites } from '../metrics/audience.ts';
import type { StoredPurge } from '../state/purge-store.ts';
import { page } from '../http/page-query.ts';
import { resourcePath } from '../http/path-params.ts';

export const purgeResource = endpoint({
  name: 'purgeResource',
  method: 'post',
  path: '/cdn/resources/{resource_id}/purge',
  summary: 'Purge a CDN resource',
  description: 'Exact paths as urls, or patterns as paths; /* is everything. Done after a few seconds.',
  extension: 'cdn-purge',
  changes: true,
  params: resourcePath,
  body: purgeRequest,
  status: 201,
  response: purgeAccepted,
  failures: { 404: 'no such resource' },
  run: (call, { store, clock }) => {
    const { resource_id: resource } = read(resourcePath, call.params);
    const body = read(purgeRequest, call.json);
    if (!sites.some((site) => site.resource === resource))
      throw new Failure(404, `CDN resource ${String(resource)} could not be found`);
    const created = clock.now();
    store.keepClock(created);
    const [urls, paths] = 'urls' in body ? [body.urls, null] : [null, body.paths];
    return { purge_id: store.addPurge({ resource, urls, paths, created }) };
  },
});

export const listPurges = endpoint({
  name: 'listPurges',
  method: 'get',
  path: '/cdn/purge_statuses',
  summary: 'Read how purges are doing',
  description: 'Newest first.',
  extension: 'cdn-purge',
  changes: false,
  query: page,
  response: purgeList,
  run: (call, { store, clock }) =>
    store.purges(read(page, call.query)).map((one) => record(one, clock.now())),
});

/** How long a purge takes, in milliseconds of the service's clock. */
const purgeMilliseconds = 8000;

const typeOf = ({ urls, paths }: StoredPurge): PurgeList[number]['purge_type'] => {
  if (urls !== null) return 'purge_by_url';
  return paths?.includes(everything) === true ? 'purge_all' : 'purge_by_pattern';
};

const record = (purge: StoredPurge, now: number): PurgeList[number] => {
  const { id, resource, created, urls, paths } = purge;
  const cname = sites.find((site) => site.resource === resource)?.cname ?? '';
  return {
    purge_id: id,
    purge_type: typeOf(purge),
    status: now < created + purgeMilliseconds ? 'In progress' : 'Successful',
    created: new Date(created).toISOString(),
    cname,
    resource: { id: resource, name: cname },
    payload: { urls, paths },
    user: { id: 1, username: 'local' },
  };
};
