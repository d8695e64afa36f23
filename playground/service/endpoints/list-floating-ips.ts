import { z } from '@hono/zod-openapi';
import { floatingIpList } from '../../../src/api/schemas/floating-ip.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { floatingIpsOf } from '../seed/floating-ips.ts';
import { placePath } from './path-params.ts';

const mostOnPage = 1000;

const limit = z
  .string()
  .regex(/^\d{1,4}$/, 'expected an integer from 1 to 1000')
  .transform(Number)
  .refine((number) => number >= 1 && number <= mostOnPage, 'expected an integer from 1 to 1000')
  .default(mostOnPage)
  .openapi({ type: 'integer', minimum: 1, maximum: mostOnPage, description: 'most results of the page' });

const offset = z
  .string()
  .regex(/^\d{1,15}$/, 'expected an integer that is not negative')
  .transform(Number)
  .default(0)
  .openapi({ type: 'integer', minimum: 0, description: 'results left out before the page' });

const page = z.object({ limit, offset });

export const listFloatingIps = endpoint({
  name: 'listFloatingIps',
  method: 'get',
  path: '/cloud/v1/availablefloatingips/{project_id}/{region_id}',
  summary: 'List the available floating IPs',
  description: 'A project or region without any answers an empty list.',
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
