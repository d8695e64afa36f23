import type { HeldFloatingIpRead } from '../../api/schemas/floating-ip.ts';
import type { Inventory } from '../../core/model/inventory.ts';
import { canonicalId } from '../../core/model/target.ts';

export const hostName = (ip: HeldFloatingIpRead): string =>
  [ip.dns_name, ip.dns_domain].filter((part) => part !== undefined).join('.');

export const tagText = (ip: HeldFloatingIpRead): string =>
  (ip.tags ?? []).map((tag) => `${tag.key ?? ''}=${tag.value ?? ''}`).join(', ');

/** The names of bellhop.yaml by instance, in canonical ids. */
export const instanceNames = ({ instances }: Inventory): ReadonlyMap<string, string> =>
  new Map(Object.entries(instances).map(([name, { id }]) => [canonicalId(id), name]));

/** `web-1`, an instance by its name in bellhop.yaml; `load balancer front`; undefined where nothing holds it. */
export function holderText(
  { instance, loadbalancer }: HeldFloatingIpRead,
  names: ReadonlyMap<string, string>,
): string | undefined {
  if (instance) {
    const { id, name } = instance;
    const known = id === undefined ? undefined : names.get(canonicalId(id));
    return known ?? name ?? id ?? 'an instance without a name';
  }
  return loadbalancer && `load balancer ${loadbalancer.name ?? loadbalancer.id ?? 'without a name'}`;
}
