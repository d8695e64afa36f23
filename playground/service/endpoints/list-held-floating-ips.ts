import { z } from '@hono/zod-openapi';
import { heldFloatingIpList } from '../../../src/api/schemas/floating-ip.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { heldFloatingIpsOf } from '../seed/floating-ips.ts';
import { page } from '../http/page-query.ts';
import { placePath } from '../http/path-params.ts';

const filter = page.extend({
  status: z.string().optional().describe('only those with this status, like ACTIVE'),
  port_ids: z.string().optional().describe('only those bound to one of these ports, separated by commas'),
});

export const listHeldFloatingIps = endpoint({
  name: 'listHeldFloatingIps',
  method: 'get',
  path: '/cloud/v1/floatingips/{project_id}/{region_id}',
  summary: 'List all floating IPs with what holds them',
  description: 'A project or region without any answers an empty list.',
  extension: 'floating-ip-list',
  changes: false,
  params: placePath,
  query: filter,
  response: heldFloatingIpList,
  run: (call, { inventory, instances }) => {
    const { project_id: project, region_id: region } = read(placePath, call.params);
    const { limit: most, offset: from, status, port_ids: ports } = read(filter, call.query);
    const wanted = ports === undefined ? undefined : new Set(ports.split(','));
    const all = heldFloatingIpsOf(inventory, [...instances.values()], project, region).filter(
      (one) =>
        (status === undefined || one.status === status) && (wanted === undefined || wanted.has(one.port_id)),
    );
    return { count: all.length, results: all.slice(from, from + most) };
  },
});
