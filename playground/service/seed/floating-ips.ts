import type { FloatingIp } from '../../../src/areas/cloud/client/floating-ip.ts';
import type { HeldFloatingIp, Instance } from '../schemas/instance.ts';
import { type LocalInventory, type Located, regionNameOf, seededProject } from '../state/inventory.ts';
import { seededInteger, seededShare, seededUuid } from './seeded.ts';

/** The second region has more floating IPs than fit on one page. */
const numbers: Readonly<Record<number, number>> = { 76: 48, 180: 1204 };
const otherwise = 12;

const timestamp = (seed: string): string => {
  const start = Date.UTC(2024, 4, 1, 12);
  const time = new Date(start + seededInteger(seed, 0, 900 * 86_400) * 1000);
  return time.toISOString().replace(/\.\d+Z$/, '+0000');
};

const assignment = (seed: string, index: number) => {
  const isAssigned = seededShare(`${seed} assigned`) < 0.6;
  return {
    fixed_ip_address: isAssigned ? `10.0.${String(index >> 8)}.${String(index & 255)}` : '',
    port_id: isAssigned ? seededUuid(`${seed} port`) : '',
    router_id: isAssigned ? seededUuid(`${seed} router`) : '',
    status: isAssigned ? 'ACTIVE' : 'DOWN',
  };
};

const floatingIpOf = (place: Located, index: number): FloatingIp => {
  const seed = `floating ip ${String(place.project)} ${String(place.region)} ${String(index)}`;
  const isNamed = index % 5 === 0;
  const created = timestamp(seed);
  const updated = timestamp(`${seed} updated`);
  return {
    id: seededUuid(seed),
    floating_ip_address: `198.51.${String(100 + (index >> 8))}.${String(index & 255)}`,
    ...assignment(seed, index),
    subnet_id: index % 3 === 0 ? null : seededUuid(`${seed} subnet`),
    dns_domain: isNamed ? 'shop.example.net.' : '',
    dns_name: isNamed ? `front-${String(index)}` : '',
    project_id: place.project,
    region: place.regionName ?? regionNameOf(place.region),
    region_id: place.region,
    creator_task_id: seededUuid(`${seed} creator`),
    task_id: '',
    tags: isNamed
      ? [
          { key: 'env', value: 'production', read_only: false },
          { key: 'pool', value: 'front', read_only: true },
        ]
      : [],
    created_at: created < updated ? created : updated,
    updated_at: created < updated ? updated : created,
  };
};

/** The projects and regions with floating IPs: the seeded ones and those of the inventory. */
const placesOf = (inventory: LocalInventory): Located[] => [
  ...[76, 180].map((region) => ({ project: seededProject, region })),
  ...Object.values(inventory.instances),
  ...Object.values(inventory.containers),
];

/** The floating IPs of a project and region; none if it is empty. */
export const floatingIpsOf = (inventory: LocalInventory, project: number, region: number): FloatingIp[] => {
  const here = placesOf(inventory).filter((place) => place.project === project && place.region === region);
  const place = here.find(({ regionName }) => regionName !== undefined) ?? here[0];
  if (!place) return [];
  const length = numbers[region] ?? otherwise;
  return Array.from({ length }, (_, index) => floatingIpOf(place, index + 1));
};

type Holder = Pick<HeldFloatingIp, 'instance' | 'loadbalancer'>;

/** One in five assigned floating IPs belongs to a load balancer, the rest to instances in the region. */
const holderOf = (ip: FloatingIp, index: number, there: readonly Instance[]): Holder => {
  if (ip.fixed_ip_address === '') return { instance: null, loadbalancer: null };
  const holder = there[index % Math.max(there.length, 1)];
  if (holder !== undefined && seededShare(`${ip.id} holder`) >= 0.2)
    return { instance: holder, loadbalancer: null };
  const name = `balancer-${String(seededInteger(`${ip.id} balancer`, 1, 4))}`;
  return { instance: null, loadbalancer: { id: seededUuid(`${name} ${ip.region}`), name } };
};

/** The floating IPs of a project and region, each with its load balancer or instance. */
export const heldFloatingIpsOf = (
  inventory: LocalInventory,
  there: readonly Instance[],
  project: number,
  region: number,
): HeldFloatingIp[] =>
  floatingIpsOf(inventory, project, region).map((ip, index) => Object.assign(ip, holderOf(ip, index, there)));
