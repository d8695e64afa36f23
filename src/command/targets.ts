import { type Inventory, namedKinds, targetsOfKind } from '../model/rulebook/target.ts';
import type { Alert } from '../model/records/alert.ts';
import { nameOfId } from '../text/words.ts';

export interface AlertTarget {
  readonly kind: string;
  readonly name: string;
}

const usualLabels = ['instance', 'container'];

/** Labels that name a machine or an object, the most exact first. `rulename` is Grafana's for a rule without data. */
const subjectLabels = ['instance', 'host', 'hostname', 'pod', 'node', 'container', 'service', 'rulename'];

const labelOf = ({ labels }: Pick<Alert, 'labels'>, name: string | undefined): string | undefined => {
  const value = name !== undefined && Object.hasOwn(labels, name) ? labels[name]?.trim() : undefined;
  return value === '' ? undefined : value;
};

/** The target of an alert, and the machine or object that it names: its target, or the value of a label. */
export function subjectOf(alert: Pick<Alert, 'labels'>, label: string | undefined, inventory: Inventory) {
  const target = targetOf(alert, label, inventory)?.name;
  const names = [label, ...subjectLabels].map((each) => labelOf(alert, each));
  return { target, on: target ?? names.find((name) => name !== undefined) };
}

/**
 * Returns the target of an alert. If the alert has the hook's label, only that label counts, because other labels may name the exporter's
 * machine. Otherwise come the usual labels, then an inventory id in any label. A label may hold a name, an id, or `project/region/id`, with or
 * without a port, or a host name that begins with a listed name.
 */
export function targetOf(
  { labels }: Pick<Alert, 'labels'>,
  targetLabel: string | undefined,
  inventory: Inventory,
): AlertTarget | undefined {
  const own = labelOf({ labels }, targetLabel);
  for (const value of own === undefined ? usualLabels.map((label) => labelOf({ labels }, label)) : [own]) {
    const target =
      value === undefined ? undefined : (targetNamed(value, inventory) ?? hostNamed(value, inventory));
    if (target) return target;
  }
  if (own !== undefined) return undefined;
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

/** Cached for each inventory, because an inventory never changes and may have thousands of names. */
const namesInLowerCase = new WeakMap<Inventory, ReadonlyMap<string, readonly AlertTarget[]>>();

function targetsByName(inventory: Inventory): ReadonlyMap<string, readonly AlertTarget[]> {
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
function hostNamed(value: string, inventory: Inventory): AlertTarget | undefined {
  const host = withoutPort(value).toLowerCase().replace(/\.$/u, '');
  // The first part of an IP address is not a name.
  if (/^[\d.]+$|:/u.test(host)) return undefined;
  const names = targetsByName(inventory);
  const found = [names.get(host), host.includes('.') ? names.get(host.split('.', 1).join('')) : undefined];
  const [target, other] = found.flatMap((each) => each ?? []);
  return other === undefined ? target : undefined;
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
