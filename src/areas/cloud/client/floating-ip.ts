import { z } from 'zod';
import { integer, text } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';
import { instance, tag } from './instance.ts';

const offsetTimestamp = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{4}$/, 'expected a form like 2024-05-01T12:00:00+0000')
    .describe(description);

/** An unassigned floating IP has "" as its fixed address, port and router. */
export const floatingIp = z.strictObject({
  id: text('identifier of the floating IP'),
  floating_ip_address: text('the public address'),
  fixed_ip_address: text('the private address behind it, "" when unassigned'),
  port_id: text('port it is bound to, "" when unassigned'),
  router_id: text('router it goes through, "" when unassigned'),
  subnet_id: text('subnet of the public address').nullable(),
  dns_domain: text('domain of its name'),
  dns_name: text('its name'),
  status: text('for example ACTIVE, DOWN'),
  project_id: integer('project it belongs to'),
  region: text('region name'),
  region_id: integer('region identifier'),
  creator_task_id: text('task that created it'),
  task_id: text('task that is changing it now, "" when idle'),
  tags: z.array(tag).describe('labels'),
  created_at: offsetTimestamp('when it was created, with a numeric offset without colon'),
  updated_at: offsetTimestamp('when it last changed, with a numeric offset without colon'),
});

/** In the reply to `listFloatingIps`, `count` is the total, not that of the page. */
export const floatingIpList = z.strictObject({
  count: integer('total, on all pages'),
  results: z.array(floatingIp).describe('the items on this page'),
});

const holder = z.strictObject({ id: text('its identifier'), name: text('its name') });

const heldFloatingIp = floatingIp.extend({
  instance: instance.nullable().describe('instance behind the floating IP'),
  loadbalancer: holder.nullable().describe('load balancer behind the floating IP'),
});

/** In the reply to `listHeldFloatingIps`, `count` is the total, not that of the page. */
export const heldFloatingIpList = z.strictObject({
  count: integer('total, on all pages'),
  results: z.array(heldFloatingIp).describe('the items on this page'),
});

export const heldFloatingIpListRead = lenient(heldFloatingIpList);

export type HeldFloatingIpRead = NonNullable<ReadBy<typeof heldFloatingIpListRead>['results']>[number];

export const floatingIpListRead = lenient(floatingIpList);

export type FloatingIp = z.output<typeof floatingIp>;
