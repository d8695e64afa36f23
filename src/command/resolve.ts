import { z } from 'zod';

import { type EnteredCommand, fromText, parse } from './grammar/grammar.ts';
import { messageWithGuess, readInput, sentence } from './grammar/check-input.ts';
import { badInput } from '../model/values/errors.ts';
import { type Inventory, isSeveral, several, type Target } from '../model/rulebook/target.ts';
import type { Entry, Registry } from '../model/registry.ts';
import { fieldOf, targetField } from './grammar/registry.ts';
import { findEach, pauseText } from './each.ts';
import { listed, canonicalId } from '../text/words.ts';
import { nameOfInstance } from './inventory.ts';
import { readHost } from '../text/host.ts';

type Input = Readonly<Record<string, unknown>>;

/** A command resolved with the current inventory, when the command is entered and again when it is confirmed. */
export interface ResolvedCommand extends EnteredCommand {
  readonly input: Input;
  readonly effective: EffectiveValues;
  readonly target: Target;
  readonly each?: readonly ResolvedCommand[] | undefined;
}

/** @throws BellhopError `bad-input`, `unknown-target` */
export const resolve = (entered: EnteredCommand, inventory: Inventory): ResolvedCommand =>
  entered.options.each
    ? resolveEach(entered, findEach(entered, inventory), inventory)
    : withTarget(entered, readInput(entered.entry, entered.values), inventory);

/** Resolves a command on the targets with these names, one after another. @throws BellhopError `bad-input`, `unknown-target` */
export function resolveEach(
  { entry, values, options }: EnteredCommand,
  names: readonly string[],
  inventory: Inventory,
): ResolvedCommand {
  const pause = pauseText(options);
  const { reason, breakGlass } = options;
  const field = targetField(entry)?.name ?? '';
  const each = names.map((name) =>
    resolve({ entry, values: { ...values, [field]: name }, options: { reason, breakGlass } }, inventory),
  );
  const { [field]: _name, ...input } = each[0]?.input ?? {};
  const target = several(
    each.map((one) => one.target),
    listed(names),
  );
  return { entry, values, options: { ...options, pause }, input, target, each, effective: {} };
}

/**
 * Resolves a command that is still to be completed in a form. Valid values are parsed; the others stay as entered.
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
 * Resolves a whole typed command. If the operation is entered in a form, only the typed part is resolved.
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
    throw badInput('Enter a complete command, such as: cloud reboot web-1.');
  return parsed.kind === 'form' ? resolveUnfinished(parsed, inventory) : resolve(parsed, inventory);
}

const withTarget = (entered: EnteredCommand, input: Input, inventory: Inventory): ResolvedCommand =>
  onTarget({ ...entered, input }, entered.entry.operation.target(input, inventory));

/** Returns the command on another target. Several targets are decided on one by one. */
export function onTarget(
  { entry, values, options, input }: EnteredCommand & Pick<ResolvedCommand, 'input'>,
  target: Target,
): ResolvedCommand {
  const command = { entry, values, options, input };
  const each = isSeveral(target) ? target.targets.map((one) => onTarget(command, one)) : undefined;
  return { ...command, target, effective: effectiveValues(entry, input, target), ...(each && { each }) };
}

/**
 * Returns the values that rules on arguments compare, as they will be sent, however they were typed. They include
 * defaults, parsed quantities and durations, normalized hosts without ports, and the target's place as `project`,
 * `region` and `instance`.
 */
export function effectiveValues(
  { fields }: Pick<Entry, 'fields'>,
  input: Readonly<Record<string, unknown>>,
  target: Target,
): EffectiveValues {
  const hosts = new Set(fields.flatMap(({ name, hostName }) => (hostName ? [name] : [])));
  const read = Object.entries(input).map(([name, value]) => {
    const texts = textsOf(value);
    return [name, hosts.has(name) ? texts.map((each) => each.map(portless)) : texts] as const;
  });
  return { ...Object.fromEntries(read), ...placeOf(target) };
}

const portless = (host: string): string => readHost(host)?.name ?? host;

const textsOf = (value: unknown): EffectiveValues[string] =>
  (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? [[String(item)]] : [],
  );

function placeOf(target: Target): EffectiveValues {
  if (!('region' in target)) return {};
  const { project, region } = target;
  const place = { project: [[String(project)]], region: [[String(region)]] };
  if (target.kind !== 'instance') return place;
  const id = canonicalId(target.id);
  // The name of an unlisted instance is its id as typed.
  const names = target.name === target.id ? [id] : [target.name, id];
  return { ...place, instance: [[...names, `${project}/${region}/${id}`]] };
}

/** The value of a rule as comparable text, or why no command can have this value. */
export type RuleValue =
  | { readonly text: string }
  | { readonly problem: string; readonly typed: string; readonly known: readonly string[] };

export function readRuleValue(
  name: string,
  schema: z.core.$ZodType,
  written: string,
  inventory: Inventory,
): RuleValue {
  const never = (why: string, known: readonly string[]): RuleValue => ({
    problem: `no command can have “${written}”: ${why}`,
    typed: written,
    known,
  });
  if (name === 'instance') {
    const text = nameOfInstance(inventory, written.trim());
    return text === undefined
      ? never('use a name or id from the inventory, or project/region/id.', Object.keys(inventory.instances))
      : { text };
  }
  const field = fieldOf(name, schema);
  if (field.kind === 'flag' && written !== 'true' && written !== 'false')
    return never('takes true or false.', ['true', 'false']);
  const typed = fromText(field, written);
  const isList = field.kind === 'texts' || field.kind === 'choices';
  const result = z.safeParse(schema, isList ? [typed] : typed);
  if (!result.success) {
    const [why] = result.error.issues.map(messageWithGuess);
    return never(sentence(why ?? 'cannot be read'), field.choices);
  }
  const text = textsOf(result.data)[0]?.[0];
  if (field.hostName && text !== undefined && portless(text) !== text)
    return never('remove the port, because a rule on a host applies to all of its ports.', [portless(text)]);
  return text === undefined
    ? { problem: "rules can't compare this field. Remove it.", typed: written, known: [] }
    : { text };
}

/** The values of each field, each value with all its spellings. Only lists have several values. */
export type EffectiveValues = Readonly<Record<string, readonly (readonly string[])[]>>;
