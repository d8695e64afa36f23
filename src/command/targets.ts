import { type Inventory, namedKinds, targetsOfKind } from '../model/rulebook/target.ts';
import { nameOfId } from '../text/words.ts';

export interface NamedTarget {
  readonly kind: string;
  readonly name: string;
}

export function targetNamed(value: string, inventory: Inventory): NamedTarget | undefined {
  for (const text of new Set([value, withoutPort(value)])) {
    if (Object.hasOwn(inventory.instances, text)) return { kind: 'instance', name: text };
    const instance = instanceWithId(text, inventory);
    if (instance !== undefined) return { kind: 'instance', name: instance };
    const kind = namedKinds(inventory).find((one) => Object.hasOwn(targetsOfKind(inventory, one), text));
    if (kind !== undefined) return { kind, name: text };
  }
  return undefined;
}

export const withoutPort = (text: string): string => text.replace(/:\d{1,5}$/u, '');

export function instanceWithId(text: string, inventory: Inventory): string | undefined {
  const parts = text.includes('/') ? /^(\d{1,15})\/(\d{1,15})\/([^/]+)$/u.exec(text) : undefined;
  const [, project, region, id = text] = parts ?? [];
  const name = nameOfId(inventory.instances, id);
  if (name === undefined || project === undefined) return name;
  const entry = inventory.instances[name];
  const own = [entry?.project ?? inventory.project, entry?.region ?? inventory.region];
  return own[0] === Number(project) && own[1] === Number(region) ? name : undefined;
}
