import { z } from 'zod';

import { parse, readInput, type EnteredCommand } from './grammar/grammar.ts';
import { BellhopError } from '../model/errors.ts';
import type { Inventory, Target } from '../model/target.ts';
import type { Registry } from '../model/registry.ts';
import { effectiveValues, type EffectiveValues } from './effective-values.ts';

type Input = Readonly<Record<string, unknown>>;

/** A command with all that it means at this moment. Made when it is entered, and once more when it is confirmed. */
export interface ResolvedCommand extends EnteredCommand {
  /** The values as the operation's schema reads them: what runs. */
  readonly input: Input;
  /** The input as rules on arguments compare it. */
  readonly effective: EffectiveValues;
  readonly target: Target;
}

/** @throws BellhopError `bad-input`, `unknown-target` */
export const resolve = (entered: EnteredCommand, inventory: Inventory): ResolvedCommand =>
  withTarget(entered, readInput(entered.entry, entered.values), inventory);

/**
 * A command that is still to be completed in a form: what can be read is, the rest stays as entered.
 * @throws BellhopError `unknown-target`
 */
export function resolveUnfinished(entered: EnteredCommand, inventory: Inventory): ResolvedCommand {
  const shape: z.ZodRawShape = entered.entry.operation.input.shape;
  const read = Object.entries(shape).map(([name, schema]) => {
    const result = z.safeParse(schema, entered.values[name]);
    return [name, result.success ? result.data : entered.values[name]] as const;
  });
  return withTarget(entered, Object.fromEntries(read), inventory);
}

/**
 * A whole typed command. Of one that is entered in a form only the beginning can be typed: that much is resolved.
 * @throws BellhopError `unknown-command`, `bad-input`, `unknown-target`
 */
export function resolveTyped(
  registry: Registry,
  inventory: Inventory,
  area: string,
  text: string,
): ResolvedCommand {
  const parsed = parse(registry, area, text);
  if (parsed.kind === 'help' || (parsed.kind === 'form' && parsed.entry.operation.formOnly !== true))
    throw new BellhopError('bad-input', 'Give a whole command, such as: cloud reboot web-1.');
  return parsed.kind === 'form' ? resolveUnfinished(parsed, inventory) : resolve(parsed, inventory);
}

function withTarget({ entry, values, options }: EnteredCommand, input: Input, inventory: Inventory) {
  const target = entry.operation.target(input, inventory);
  return { entry, values, options, input, target, effective: effectiveValues(entry, input, target) };
}
