import { z } from '@hono/zod-openapi';
import { heldFloatingIpList } from '../schemas/instance.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { heldFloatingIpsOf } from '../seed/floating-ips.ts';
import { page } from '../http/page-query.ts';
import { listInstances } from '../service.ts';
import { placePath } from '../http/path-params.ts';

const filter = page.extend({
  status: z.string().optional().describe('only floating IPs with this status, like ACTIVE'),
  port_ids: z.string().optional().describe('only floating IPs on one of these ports, separated by commas'),
});

export const listHeldFloatingIps = endpoint({
  name: 'listHeldFloatingIps',
  method: 'get',
  path: '/cloud/v1/floatingips/{project_id}/{region_id}',
  summary: 'List all floating IPs with their instances and load balancers',
  description: 'The list is empty for a project or region without floating IPs.',
  extension: 'floating-ip-list',
  changes: false,
  params: placePath,
  query: filter,
  response: heldFloatingIpList,
  run: (call, service) => {
    const place = read(placePath, call.params);
    const { results: there } = listInstances(service, place, { limit: Infinity, offset: 0 });
    const { limit: most, offset: from, status, port_ids: ports } = read(filter, call.query);
    const wanted = ports === undefined ? undefined : new Set(ports.split(','));
    const all = heldFloatingIpsOf(service.inventory, there, place.project_id, place.region_id).filter(
      (one) =>
        (status === undefined || one.status === status) && (wanted === undefined || wanted.has(one.port_id)),
    );
    return { count: all.length, results: all.slice(from, from + most) };
  },
});
