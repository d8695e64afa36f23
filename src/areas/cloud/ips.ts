import {
  countText,
  given,
  type Inventory,
  itemCount,
  nameOfId,
  operation,
  type ProjectTarget,
  type ReadContext,
  tableOf,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import { type CloudClient, replyNotes } from './client/calls.ts';
import type { HeldFloatingIpRead } from './client/floating-ip.ts';
import { incompleteNote, regionText, searchOption, statusOption, listWhere, tagTexts } from './parts.ts';

/** Calls `GET …/availablefloatingips/{project}/{region}`, or the extension floating-ip-list for `--all`. */
export const ips = operation({
  name: 'cloud.ips',
  summary: 'List available floating IPs.',
  risk: 'read',
  input: z.strictObject({
    search: searchOption('203.0.113').describe('Only those whose address, name, id or tag contains this.'),
    status: statusOption('ACTIVE or DOWN'),
    unassigned: z.boolean().default(false).describe('Only unassigned ones.'),
    all: z
      .boolean()
      .default(false)
      .describe('All floating IPs, each with its instance or load balancer.')
      .meta({ extension: 'floating-ip-list' }),
    ...listWhere,
  }),
  examples: [
    '/cloud ips',
    '/cloud ips --unassigned',
    '/cloud ips 203.0.113 --status DOWN --region 180',
    '/cloud ips web-1 --all',
  ],
  async run(input, context: ReadContext<ProjectTarget, CloudClient>) {
    const { service, target } = context;
    const reply = input.all
      ? await service.listHeldFloatingIps(target, context)
      : await service.listFloatingIps(target, context);
    const { results, count = results.length } = reply.value;
    const listed = results.map((ip): ListedIp => ({ ip, holder: holderText(ip, context.inventory) ?? '' }));
    const found = listed.filter((one) => wanted(one, input));
    const statuses = new Set(results.flatMap(({ status }) => status ?? []));
    return { reply, count, listed: listed.length, found, statuses };
  },
  report: ({ reply, count, listed, found, statuses }, { target, input }) => ({
    title: `Floating IPs in ${regionText(target)}`,
    headline: headline(found, listed, input),
    tables: tableOf(
      itemCount(found.length, 'floating IP'),
      texts('Address', 'Fixed IP', ...(input.all ? ['Assigned to'] : []), 'Status', 'Name', 'Tags'),
      found.map(({ ip, holder }) => [
        ip.floating_ip_address ?? '?',
        fixedIpText(ip),
        ...(input.all ? [holder] : []),
        ip.status ?? '?',
        dnsName(ip),
        tagText(ip),
      ]),
    ),
    notes: given(
      incompleteNote(listed, count),
      // If nothing matches, the status may be a typo.
      input.status !== undefined &&
        found.length === 0 &&
        statuses.size > 0 &&
        `Statuses of all ${countText(listed)}: ${[...statuses].toSorted().slice(0, 10).join(', ')}.`,
      replyNotes(reply),
    ),
    csv: found.length === 0 ? undefined : csvOf(found, input.all),
  }),
});

/** `holder` names the instance or load balancer. The name is "" if the IP is unassigned or the holder is unknown. */
interface ListedIp {
  readonly ip: HeldFloatingIpRead;
  readonly holder: string;
}

const csvOf = (found: readonly ListedIp[], all: boolean) => ({
  fileName: 'floating-ips.csv',
  columns: [...csvColumns, 'tags', ...(all ? ['held_by'] : [])],
  rows: found.map(({ ip, holder }) => [
    ...csvColumns.map((column) => ip[column] ?? ''),
    tagText(ip),
    ...(all ? [holder] : []),
  ]),
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

const isUnassigned = ({ ip }: ListedIp): boolean => fixedIpText(ip) === noFixedIp;

export const noFixedIp = 'unassigned';

/** The service may name only the port that the floating IP is assigned to. */
export const fixedIpText = ({ fixed_ip_address: fixed, port_id: port }: HeldFloatingIpRead): string =>
  fixed ?? (port === undefined ? noFixedIp : `port ${port}`);

function wanted(one: ListedIp, { search, status, unassigned }: Filter): boolean {
  return (
    (!unassigned || isUnassigned(one)) &&
    (status === undefined || one.ip.status?.toLowerCase() === status.toLowerCase()) &&
    (search === undefined || searched(one).includes(search.toLowerCase()))
  );
}

const searched = ({ ip, holder }: ListedIp): string =>
  [ip.floating_ip_address, ip.fixed_ip_address, ip.id, dnsName(ip), tagText(ip), holder]
    .join('\n')
    .toLowerCase();

function headline(found: readonly ListedIp[], listed: number, filter: Filter): string {
  if (listed === 0) return 'None. Check the region: an unknown one also returns nothing.';
  const filtered = filter.unassigned || filter.search !== undefined || filter.status !== undefined;
  const all = itemCount(listed, 'floating IP');
  const free = `${countText(found.filter(isUnassigned).length)} unassigned`;
  if (!filtered) return `${all}, ${free}`;
  if (found.length === 0) return `None of ${all} match`;
  return `${countText(found.length)} of ${all} ${found.length === 1 ? 'matches' : 'match'}, ${free}`;
}

export const dnsName = (ip: HeldFloatingIpRead): string =>
  [ip.dns_name, ip.dns_domain].filter((part) => part !== undefined).join('.');

export const tagText = (ip: HeldFloatingIpRead): string => tagTexts(ip.tags).join(', ');

/** Returns `web-1`, by its name in bellhop.yaml, or `load balancer front`; undefined if the IP is unassigned. */
export function holderText(
  { instance, loadbalancer }: HeldFloatingIpRead,
  inventory: Inventory,
): string | undefined {
  if (instance) {
    const { id, name } = instance;
    const known = id === undefined ? undefined : nameOfId(inventory.instances, id);
    return known ?? name ?? id ?? 'an instance without a name';
  }
  return loadbalancer && `load balancer ${loadbalancer.name ?? loadbalancer.id ?? 'without a name'}`;
}
