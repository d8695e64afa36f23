import { BellhopError } from './model/errors.ts';
import { fieldsOf, type Field } from './form/fields.ts';
import type { Operation } from './model/operation.ts';

/** An operation with what is derived from it once, at start. */
export interface Entry {
  readonly operation: Operation;
  /** `cloud` of `cloud.reboot`: the slash command. */
  readonly area: string;
  /** `reboot` of `cloud.reboot`: the first word. */
  readonly verb: string;
  /** What is done, before the target's name: `reboot`, `change raw logs of`. */
  readonly actionLabel: string;
  readonly fields: readonly Field[];
}

export interface Registry {
  readonly entries: readonly Entry[];
  /** Areas in the order of the list of operations: one slash command each. */
  readonly areas: ReadonlyMap<string, readonly Entry[]>;
  find(name: string): Entry | undefined;
}

/** @throws BellhopError `configuration` where two operations share a name or a name has no area */
export function createRegistry(operations: readonly Operation[]): Registry {
  const byName = new Map<string, Entry>();
  const areas = new Map<string, Entry[]>();
  for (const operation of operations) {
    const [area, verb, ...rest] = operation.name.split('.');
    if (!area || !verb || rest.length > 0 || byName.has(operation.name)) {
      throw new BellhopError(
        'configuration',
        `“${operation.name}” is not a unique name of the form area.verb`,
      );
    }
    const entry = {
      operation,
      area,
      verb,
      actionLabel: operation.actionLabel ?? verb,
      fields: fieldsOf(operation.input),
    };
    byName.set(operation.name, entry);
    areas.set(area, [...(areas.get(area) ?? []), entry]);
  }
  return { entries: [...byName.values()], areas, find: (name) => byName.get(name) };
}
