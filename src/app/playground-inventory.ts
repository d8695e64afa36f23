import type { Inventory } from '../core/model/inventory.ts';
import type { LocalInventory } from '../../playground/service/state/inventory.ts';

/** What exists in the local service: the inventory's own instances and containers, where they are. */
export function localInventory(inventory: Inventory): LocalInventory {
  const located = (entry: {
    readonly project?: number | undefined;
    readonly region?: number | undefined;
  }) => {
    const region = entry.region ?? inventory.region ?? 76;
    return {
      project: entry.project ?? inventory.project ?? 1186668,
      region,
      regionName: inventory.regions[String(region)],
    };
  };
  return {
    instances: Object.fromEntries(
      Object.entries(inventory.instances).map(([name, entry]) => [
        name,
        { ...located(entry), id: entry.id, labels: entry.labels },
      ]),
    ),
    containers: Object.fromEntries(
      Object.entries(inventory.containers).map(([name, entry]) => [
        name,
        { ...located(entry), labels: entry.labels },
      ]),
    ),
  };
}
