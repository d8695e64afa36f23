import { readInput, parse } from '../../../command/grammar/grammar.ts';
import { resolve } from '../../../command/resolve.ts';
import { isButtonTemplate, splitButtonCommand } from '../../../alerts/buttons.ts';
import { BellhopError } from '../../../model/errors.ts';
import type { Inventory } from '../../../model/target.ts';
import type { Operation } from '../../../model/operation.ts';
import { createRegistry } from '../../../command/grammar/registry.ts';
import type { Registry } from '../../../model/registry.ts';
import type { Finding } from '../../yaml/findings.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';

/** A button runs a whole command, so invalid commands are rejected here, before anyone presses it. */
export function hookFindings(
  { hooks = {}, extensions = [] }: FittingFile,
  inventory: Inventory,
  operations: readonly Operation[],
): readonly Finding[] {
  if (Object.keys(hooks).length === 0) return [];
  const registry = createRegistry(
    operations,
    extensions.flatMap((extension) => extension ?? []),
  );
  return Object.entries(hooks).flatMap(([name, hook]) =>
    (hook?.buttons ?? []).flatMap((button, index): readonly Finding[] => {
      const problem = button?.run ? commandProblem(button.run, registry, inventory) : undefined;
      return problem === undefined ? [] : [{ path: ['hooks', name, 'buttons', index, 'run'], text: problem }];
    }),
  );
}

/** The problem with a button's command, as a sentence. */
function commandProblem(run: string, registry: Registry, inventory: Inventory): string | undefined {
  if (!isButtonTemplate(run))
    return 'must be a command such as /cloud reboot {target}, with {target} as a separate word.';
  const named = !run.includes('{target}');
  const { area, text } = splitButtonCommand(run, Object.keys(inventory.instances)[0] ?? 'target');
  try {
    const parsed = parse(registry, area, text);
    if (parsed.kind !== 'command')
      return 'is not a complete command. A button has no form, so add all required inputs.';
    if (named) resolve(parsed, inventory);
    else readInput(parsed.entry, parsed.values);
    return undefined;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return error.message;
  }
}
