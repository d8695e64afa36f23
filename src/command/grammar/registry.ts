import { BellhopError } from '../../model/errors.ts';
import type { Extension } from '../../model/rulebook.ts';
import { fieldsOf } from './fields.ts';
import type { Field, Entry, Registry } from '../../model/registry.ts';
import type { Operation } from '../../model/operation.ts';

/** The action before the target's name. @param entry undefined if this version no longer has the operation */
export const actionLabelOf = (
  entry: Entry | undefined,
  { operation, input }: { readonly operation: string; readonly input: Readonly<Record<string, unknown>> },
): string => entry?.operation.actionLabelFor?.(input) ?? entry?.actionLabel ?? operation;

/**
 * The operations that a service with these extensions offers, without the fields that need another one.
 * @throws BellhopError `configuration` if two operations share a name or a name has no area
 */
export function createRegistry(operations: readonly Operation[], extensions: readonly Extension[]): Registry {
  const isOn = ({ extension }: { readonly extension?: Extension | undefined }): boolean =>
    extension === undefined || extensions.includes(extension);
  const byName = new Map<string, Entry>();
  const areas = new Map<string, Entry[]>();
  for (const operation of operations.filter(isOn)) {
    const entry = entryOf(operation, isOn);
    if (byName.has(operation.name)) throw badName(operation);
    byName.set(operation.name, entry);
    areas.set(entry.area, [...(areas.get(entry.area) ?? []), entry]);
  }
  return {
    entries: [...byName.values()],
    areas,
    find: (name) => byName.get(name),
    findOff: (name) => operations.find((operation) => operation.name === name && !isOn(operation)),
  };
}

function entryOf(operation: Operation, isOn: (field: Field) => boolean): Entry {
  const [area, verb, ...rest] = operation.name.split('.');
  if (!area || !verb || rest.length > 0) throw badName(operation);
  const all = fieldsOf(operation.input);
  const fields = all.filter(isOn);
  return {
    operation:
      fields.length === all.length
        ? operation
        : without(
            operation,
            all.filter((one) => !isOn(one)),
          ),
    area,
    verb,
    actionLabel: operation.actionLabel ?? verb.replaceAll('-', ' '),
    fields,
  };
}

const badName = ({ name }: Operation): BellhopError =>
  new BellhopError('configuration', `“${name}” is not a unique name of the form area.verb`);

/** The same operation with these fields fixed to their defaults. */
function without(operation: Operation, off: readonly Field[]): Operation {
  const input = off.reduce(
    (refused, { name, fallback, extension }) =>
      refused.refine((value) => value[name] === fallback, {
        path: [name],
        error:
          extension === 'accounts'
            ? 'needs “accounts” in bellhop.yaml'
            : `needs ${extension} in “extensions” of bellhop.yaml`,
      }),
    operation.input,
  );
  const examples = operation.examples.filter((line) =>
    off.every(({ option }) => !line.includes(`--${option}`)),
  );
  return { ...operation, input, examples };
}

/** The registry for the current extensions, which a reload of the rules can switch on or off. */
export function followExtensions(
  operations: readonly Operation[],
  extensions: () => readonly Extension[],
): Registry {
  let on = extensions();
  let registry = createRegistry(operations, on);
  const current = (): Registry => {
    const now = extensions();
    if (now !== on) [on, registry] = [now, createRegistry(operations, now)];
    return registry;
  };
  return {
    get entries() {
      return current().entries;
    },
    get areas() {
      return current().areas;
    },
    find: (name) => current().find(name),
    findOff: (name) => current().findOff(name),
  };
}
