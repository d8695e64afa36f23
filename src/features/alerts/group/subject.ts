import { instanceWithId, type NamedTarget, targetNamed, withoutPort } from '../../../command/targets.ts';
import { type Inventory, namedKinds, targetsOfKind } from '../../../model/rulebook/target.ts';
import type { Alert } from './record.ts';

const usualLabels = ['instance', 'container'];

/** Labels that name a machine or an object, the most exact first. `rulename` is Grafana's for a rule without data. */
const subjectLabels =
  'persistentvolumeclaim instance host hostname pod deployment statefulset daemonset cronjob job_name node container service rulename'.split(
    ' ',
  );

const renamed = 'exported_';
const exporterLabels = ['instance', 'container', 'pod', 'service'];
/**
 * Labels that decide what an alert is about. They are kept before other labels, so that the kept labels name the
 * same subject as all labels.
 */
export const decisiveLabels = [
  'job',
  ...[...exporterLabels, 'node'].flatMap((name) => [name, renamed + name]),
];
/** These exporters report about other objects. */
const observer = /kube-state-metrics|pushgateway/u;

/**
 * The labels of an alert, without the ones that Prometheus added about the exporter. If a series has a label of the
 * same name, Prometheus renames it to `exported_…`. Such labels get their own name back here.
 */
function observedLabels(labels: Alert['labels']): Alert['labels'] {
  const own = Object.entries(labels).flatMap(([name, value]) =>
    name.startsWith(renamed) && name !== 'exported_job' ? [[name.slice(renamed.length), value] as const] : [],
  );
  if (own.length === 0 && !observer.test(labels['job'] ?? '')) return labels;
  const added = own.length === 0 ? ['instance'] : exporterLabels;
  const others = Object.entries(labels).filter(
    ([name, value]) => !added.includes(name) && !observer.test(value),
  );
  return Object.fromEntries([...others, ...own]);
}

const labelOf = (labels: Alert['labels'], name: string | undefined): string | undefined => {
  const value = name !== undefined && Object.hasOwn(labels, name) ? labels[name]?.trim() : undefined;
  return value === '' ? undefined : value;
};

/**
 * The target of an alert, and `on`, the machine or object that the alert names: its target, or the value of a label.
 */
export function subjectOf(alert: Pick<Alert, 'labels'>, label: string | undefined, inventory: Inventory) {
  const target = targetOf(alert, label, inventory)?.name;
  const labels = observedLabels(alert.labels);
  let on = target;
  for (const name of [label, ...subjectLabels]) on ??= labelOf(labels, name);
  return { target, on };
}

/**
 * Returns the target of an alert. If the alert has the hook's label, only that label counts, because other labels may
 * name the exporter's machine. Otherwise, the usual labels are searched first, then all labels for an inventory id. A
 * value may be a name, an id or `project/region/id`, with or without a port, or a host name that begins with a listed
 * name.
 */
export function targetOf(
  alert: Pick<Alert, 'labels'>,
  targetLabel: string | undefined,
  inventory: Inventory,
): NamedTarget | undefined {
  const labels = observedLabels(alert.labels);
  const own = labelOf(labels, targetLabel);
  for (const label of own === undefined ? usualLabels : [targetLabel]) {
    const value = labelOf(labels, label);
    const target =
      value === undefined ? undefined : (targetNamed(value, inventory) ?? hostNamed(value, inventory));
    if (target) return target;
  }
  if (own !== undefined) return undefined;
  for (const value of Object.values(labels)) {
    const name = instanceWithId(value, inventory);
    if (name !== undefined) return { kind: 'instance', name };
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

/**
 * Returns the target whose name is the host's name, or the part of it before the first dot, ignoring case. Undefined if
 * several targets match.
 */
function hostNamed(value: string, inventory: Inventory): NamedTarget | undefined {
  const names = targetsByName(inventory);
  const [, address = value] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/iu.exec(value) ?? [];
  const whole = withoutPort(address).toLowerCase();
  const host = whole.endsWith('.') ? whole.slice(0, -1) : whole;
  const dot = host.indexOf('.');
  const [target, other] = [
    ...(names.get(host) ?? []),
    ...(dot < 0 ? [] : (names.get(host.slice(0, dot)) ?? [])),
  ];
  // The first part of an IP address is not a name.
  return target === undefined || other !== undefined || /^[\d.]+$|:/u.test(host) ? undefined : target;
}
