import { type Inventory, namedKinds, targetsOfKind } from '../model/rulebook/target.ts';
import type { Alert } from '../model/records/alert.ts';
import { nameOfId } from '../text/words.ts';

export interface AlertTarget {
  readonly kind: string;
  readonly name: string;
}

const usualLabels = ['instance', 'container'];

export const targetLabels = (targetLabel: string | undefined): readonly string[] =>
  targetLabel === undefined ? usualLabels : [targetLabel, ...usualLabels];

/**
 * Returns the target of an alert. The hook's label comes first, then the usual labels, then an inventory id in any
 * label. A label may hold a name, an id, or `project/region/id`, with or without a port. Part of a name never matches.
 */
export function targetOf(
  { labels }: Pick<Alert, 'labels'>,
  targetLabel: string | undefined,
  inventory: Inventory,
): AlertTarget | undefined {
  for (const label of targetLabels(targetLabel)) {
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
    const target = value === undefined ? undefined : targetNamed(value, inventory);
    if (target) return target;
  }
  const instance = Object.values(labels)
    .map((value) => instanceWithId(value, inventory))
    .find((name) => name !== undefined);
  return instance === undefined ? undefined : { kind: 'instance', name: instance };
}

export function targetNamed(value: string, inventory: Inventory): AlertTarget | undefined {
  for (const text of [value, withoutPort(value)]) {
    if (Object.hasOwn(inventory.instances, text)) return { kind: 'instance', name: text };
    const instance = instanceWithId(text, inventory);
    if (instance !== undefined) return { kind: 'instance', name: instance };
    const kind = namedKinds(inventory).find((one) => Object.hasOwn(targetsOfKind(inventory, one), text));
    if (kind !== undefined) return { kind, name: text };
  }
  return undefined;
}

const withoutPort = (text: string): string => text.replace(/:\d{1,5}$/u, '');

function instanceWithId(text: string, inventory: Inventory): string | undefined {
  const [, project, region, id = text] = /^(\d{1,15})\/(\d{1,15})\/([^/]+)$/u.exec(text) ?? [];
  const name = nameOfId(inventory.instances, id);
  if (name === undefined || project === undefined) return name;
  const entry = inventory.instances[name];
  const own = [entry?.project ?? inventory.project, entry?.region ?? inventory.region];
  return own[0] === Number(project) && own[1] === Number(region) ? name : undefined;
}

export const targetsOf = (
  alerts: readonly Alert[],
  targetLabel: string | undefined,
  inventory: Inventory,
): readonly AlertTarget[] => {
  const found = alerts.flatMap((alert) => targetOf(alert, targetLabel, inventory) ?? []);
  return [...new Map(found.map((target) => [`${target.kind} ${target.name}`, target])).values()];
};
