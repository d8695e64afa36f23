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

/** Cached for each inventory, because an inventory never changes and may have thousands of names. */
const namesInLowerCase = new WeakMap<Inventory, ReadonlyMap<string, readonly NamedTarget[]>>();

function targetsByName(inventory: Inventory): ReadonlyMap<string, readonly NamedTarget[]> {
  const cached = namesInLowerCase.get(inventory);
  if (cached) return cached;
  const all = namedKinds(inventory).flatMap((kind) =>
    Object.keys(targetsOfKind(inventory, kind)).map((name) => ({ kind, name })),
  );
  const made = Map.groupBy(all, ({ name }) => name.toLowerCase());
  namesInLowerCase.set(inventory, made);
  return made;
}

/** The only listed name that is the host's name, or its part before the first dot, in any case. */
export function hostNamed(value: string, inventory: Inventory): NamedTarget | undefined {
  const names = targetsByName(inventory);
  const whole = withoutPort(value).toLowerCase();
  const host = whole.endsWith('.') ? whole.slice(0, -1) : whole;
  const dot = host.indexOf('.');
  const [target, other] = [
    ...(names.get(host) ?? []),
    ...(dot < 0 ? [] : (names.get(host.slice(0, dot)) ?? [])),
  ];
  // The first part of an IP address is not a name.
  return target === undefined || other !== undefined || /^[\d.]+$|:/u.test(host) ? undefined : target;
}

const withoutPort = (text: string): string => text.replace(/:\d{1,5}$/u, '');

export function instanceWithId(text: string, inventory: Inventory): string | undefined {
  const parts = text.includes('/') ? /^(\d{1,15})\/(\d{1,15})\/([^/]+)$/u.exec(text) : undefined;
  const [, project, region, id = text] = parts ?? [];
  const name = nameOfId(inventory.instances, id);
  if (name === undefined || project === undefined) return name;
  const entry = inventory.instances[name];
  const own = [entry?.project ?? inventory.project, entry?.region ?? inventory.region];
  return own[0] === Number(project) && own[1] === Number(region) ? name : undefined;
}
