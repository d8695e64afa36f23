import { fromText, parse, type Values } from './grammar/grammar.ts';
import { rescue } from '../model/values/errors.ts';
import { type Inventory, namedKinds, targetsOfKind } from '../model/rulebook/target.ts';
import type { Entry, Registry } from '../model/registry.ts';
import { resolveUnfinished, type ResolvedCommand } from './resolve.ts';

export interface PossibleCommand extends ResolvedCommand {
  readonly isUnlisted: boolean;
}

/**
 * Returns every possible command, for checks of the rules. Each operation takes the inputs of its examples, on each
 * target of the inventory and on an unlisted target.
 * @param variants further inputs by field, as typed. Each is tried with every operation that has the field
 */
export function possibleCommands(
  registry: Registry,
  inventory: Inventory,
  variants: readonly Readonly<Record<string, string>>[] = [],
): readonly PossibleCommand[] {
  const unlisted = unusedName(inventory);
  const extended = withUnlisted(inventory, unlisted);
  return registry.entries.flatMap((entry) => {
    const targets = [...targetValues(entry, extended), ...listsOfOne(entry, inventory)];
    const found = new Map<string, PossibleCommand>();
    for (const values of exampleValues(registry, entry, variants)) {
      for (const target of targets) {
        const all = { ...values, ...target };
        const command = rescue(() => resolveUnfinished({ entry, values: all, options: {} }, extended));
        if (!command) continue;
        const isUnlisted = Object.values(target).includes(unlisted);
        found.set(JSON.stringify(command.values), { ...command, isUnlisted });
      }
    }
    return [...found.values()];
  });
}

function unusedName({ instances, containers }: Inventory): string {
  let name = 'unlisted';
  while (Object.hasOwn(instances, name) || Object.hasOwn(containers, name)) name += '-';
  return name;
}

/** Adds a target without labels of each kind. It stands for all unlisted targets. */
const withUnlisted = (inventory: Inventory, name: string): Inventory => ({
  ...inventory,
  instances: { ...inventory.instances, [name]: { id: name, project: 1, region: 1, labels: {} } },
  containers: { ...inventory.containers, [name]: { labels: {} } },
});

function targetValues({ fields }: Entry, inventory: Inventory): readonly Values[] {
  const { name, target } = fields.find((field) => field.target !== undefined) ?? {};
  if (name === undefined || target === undefined) return [{}];
  const names = Object.keys(targetsOfKind(inventory, target));
  return names.length === 0 ? [{}] : names.map((one) => ({ [name]: one }));
}

/**
 * A list of targets, such as the one of `bellhop.hold`, takes targets of all kinds. One target is tried for each kind and set of
 * labels, because rules can't distinguish the others.
 */
function listsOfOne({ fields }: Entry, inventory: Inventory): readonly Values[] {
  if (!fields.some(({ name, kind }) => name === 'targets' && kind.endsWith('s'))) return [];
  const tried = new Map(
    namedKinds(inventory).flatMap((kind) =>
      Object.entries(targetsOfKind(inventory, kind)).map(([name, { labels }]) => [
        JSON.stringify([kind, labels]),
        name,
      ]),
    ),
  );
  return [...tried.values()].map((name) => ({ targets: [name] }));
}

function exampleValues(
  registry: Registry,
  entry: Entry,
  variants: readonly Readonly<Record<string, string>>[],
): readonly Values[] {
  const shown = entry.operation.examples.flatMap((example) => {
    const { project: _project, region: _region, ...values } = valuesIn(registry, entry, example);
    return [values];
  });
  const [first = {}] = shown;
  const varied = variants.flatMap((variant) => {
    const typed = Object.entries(variant).flatMap(([name, text]) => {
      const field = entry.fields.find((one) => one.name === name);
      return field ? [[name, field.kind.endsWith('s') ? [text] : fromText(field, text)] as const] : [];
    });
    return typed.length === 0 ? [] : [{ ...first, ...Object.fromEntries(typed) }];
  });
  return [first, ...shown.slice(1), ...varied];
}

function valuesIn(registry: Registry, entry: Entry, example: string): Values {
  const parsed = rescue(() => parse(registry, entry.area, example.slice(entry.area.length + 1)));
  return !parsed || parsed.kind === 'help' ? {} : parsed.values;
}
