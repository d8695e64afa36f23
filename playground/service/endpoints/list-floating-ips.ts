import { floatingIpList } from '../../../src/areas/cloud/client/floating-ip.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { floatingIpsOf } from '../seed/floating-ips.ts';
import { page } from '../http/page-query.ts';
import { placePath } from '../http/path-params.ts';

export const listFloatingIps = endpoint({
  name: 'listFloatingIps',
  method: 'get',
  path: '/cloud/v1/availablefloatingips/{project_id}/{region_id}',
  summary: 'List the available floating IPs',
  description: 'The list is empty for a project or region without floating IPs.',
  changes: false,
  params: placePath,
  query: page,
  response: floatingIpList,
  run: (call, { inventory }) => {
    const { project_id: project, region_id: region } = read(placePath, call.params);
    const { limit: most, offset: from } = read(page, call.query);
    const all = floatingIpsOf(inventory, project, region);
    return { count: all.length, results: all.slice(from, from + most) };
  },
});
