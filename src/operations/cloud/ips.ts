import { z } from 'zod';

import type { FloatingIpRead } from '../../api/cloud.ts';
import type { ServiceClient } from '../../api/client.ts';
import { findProject } from '../../core/model/inventory.ts';
import { operation, type RunContext } from '../../core/model/operation.ts';
import type { ProjectTarget } from '../../core/model/target.ts';
import { countText, itemCount } from '../report-text.ts';
import { replyNotes } from '../report-text.ts';
import { regionText } from './instance-text.ts';
import { where } from './where.ts';

/** `GET …/availablefloatingips/{project}/{region}`. */
export const ips = operation({
  name: 'cloud.ips',
  summary: 'List available floating IPs.',
  risk: 'read',
  input: z.strictObject({
    search: z
      .string()
      .trim()
      .min(1, 'say what to search for, or leave it out')
      .max(255, 'that is too long to search for')
      .optional()
      .describe('Only those whose address, name, id or tag holds this.')
      .meta({ positional: true, placeholder: '203.0.113' }),
    status: z
      .string()
      .trim()
      .min(1, 'needs a value')
      .max(40, 'that is too long for a status')
      .optional()
      .describe('Only with this status, such as ACTIVE or DOWN.'),
    unassigned: z.boolean().default(false).describe('Only those that lead nowhere.'),
    ...where,
  }),
  examples: ['/cloud ips', '/cloud ips --unassigned', '/cloud ips 203.0.113 --status DOWN --region 180'],
  target: (input, inventory) => findProject(inventory, input),
  async run(input, context: RunContext<ProjectTarget, ServiceClient>) {
    const reply = await context.service.listFloatingIps(context.target, context);
    const { count, results } = reply.value;
    const found = results.filter((ip) => wanted(ip, input));
    const statuses = new Set(results.flatMap(({ status }) => status ?? []));
    return { reply, count, listed: results.length, found, statuses };
  },
  report: ({ reply, count, listed, found, statuses }, { target, input }) => ({
    title: `Floating IPs in ${regionText(target)}`,
    headline: headline(found, listed, input),
    tables:
      found.length === 0
        ? []
        : [
            {
              caption: itemCount(found.length, 'floating IP', 'floating IPs'),
              columns: [
                { label: 'Address' },
                { label: 'Leads to' },
                { label: 'Status' },
                { label: 'Name' },
                { label: 'Tags' },
              ],
              rows: found.map((ip) => [
                ip.floating_ip_address ?? '?',
                ip.fixed_ip_address ?? 'unassigned',
                ip.status ?? '?',
                hostName(ip),
                tagText(ip),
              ]),
            },
          ],
    notes: [
      ...(listed < count
        ? [`This list has ${countText(listed)} of the ${countText(count)} that the service has.`]
        : []),
      ...(input.status === undefined || found.length > 0 ? [] : statusNote(statuses)),
      ...replyNotes(reply),
    ],
    ...(found.length === 0 ? {} : { csv: csvOf(found) }),
  }),
});

/** Nothing found may be a slip of the fingers. */
const statusNote = (statuses: ReadonlySet<string>): readonly string[] =>
  statuses.size === 0 ? [] : [`Statuses in this list: ${[...statuses].toSorted().slice(0, 10).join(', ')}.`];

const csvOf = (found: readonly FloatingIpRead[]) => ({
  fileName: 'floating-ips.csv',
  columns: [...csvColumns, 'tags'],
  rows: found.map((ip) => [...csvColumns.map((column) => ip[column] ?? ''), tagText(ip)]),
});

const csvColumns = [
  'id',
  'floating_ip_address',
  'fixed_ip_address',
  'port_id',
  'router_id',
  'subnet_id',
  'dns_domain',
  'dns_name',
  'status',
  'project_id',
  'region',
  'region_id',
  'creator_task_id',
  'task_id',
  'created_at',
  'updated_at',
] as const;

interface Filter {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly unassigned: boolean;
}

const isUnassigned = (ip: FloatingIpRead): boolean => ip.fixed_ip_address === undefined;

function wanted(ip: FloatingIpRead, { search, status, unassigned }: Filter): boolean {
  return (
    (!unassigned || isUnassigned(ip)) &&
    (status === undefined || ip.status?.toLowerCase() === status.toLowerCase()) &&
    (search === undefined || searched(ip).includes(search.toLowerCase()))
  );
}

const searched = (ip: FloatingIpRead): string =>
  [ip.floating_ip_address, ip.fixed_ip_address, ip.id, hostName(ip), tagText(ip)].join('\n').toLowerCase();

const hostName = (ip: FloatingIpRead): string =>
  [ip.dns_name, ip.dns_domain].filter((part) => part !== undefined).join('.');

const tagText = (ip: FloatingIpRead): string =>
  (ip.tags ?? []).map((tag) => `${tag.key ?? ''}=${tag.value ?? ''}`).join(', ');

function headline(found: readonly FloatingIpRead[], listed: number, filter: Filter): string {
  if (listed === 0) return 'None: an unknown region has none too, so check the region.';
  const filtered = filter.unassigned || filter.search !== undefined || filter.status !== undefined;
  const [matching, all] = [countText(found.length), countText(listed)];
  const free = `${countText(found.filter(isUnassigned).length)} unassigned`;
  if (!filtered) return `${all}, of which ${free}`;
  return found.length === 0 ? `None of ${all} match` : `${matching} of ${all} match, ${free}`;
}
