import type { HeldFloatingIpRead } from '../../service/schemas/floating-ip.ts';
import type { Inventory } from '../../model/target.ts';
import { nameOfId } from '../../command/inventory.ts';

export const dnsName = (ip: HeldFloatingIpRead): string =>
  [ip.dns_name, ip.dns_domain].filter((part) => part !== undefined).join('.');

export const tagText = (ip: HeldFloatingIpRead): string =>
  (ip.tags ?? []).map((tag) => `${tag.key ?? ''}=${tag.value ?? ''}`).join(', ');

/** `web-1`, an instance by its name in bellhop.yaml; `load balancer front`; undefined where nothing holds it. */
export function holderText(
  { instance, loadbalancer }: HeldFloatingIpRead,
  inventory: Inventory,
): string | undefined {
  if (instance) {
    const { id, name } = instance;
    const known = id === undefined ? undefined : nameOfId(inventory, id);
    return known ?? name ?? id ?? 'an instance without a name';
  }
  return loadbalancer && `load balancer ${loadbalancer.name ?? loadbalancer.id ?? 'without a name'}`;
}
