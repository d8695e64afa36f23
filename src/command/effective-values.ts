import { z } from 'zod';

import { fieldOf } from './grammar/fields.ts';
import { fromText, sentence } from './grammar/grammar.ts';
import { nameOfInstance } from './inventory.ts';
import { type Inventory, canonicalId, type Target } from '../model/target.ts';
import { readHost } from '../model/host.ts';
import type { Entry } from '../model/registry.ts';

/**
 * What rules on arguments look at: what will be sent, however it was typed. Defaults are filled in, quantities and
 * durations read, hosts in one spelling and without their ports, and where the target is stands under `project`, `region`
 * and `instance`.
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
  // The name of an instance that is not listed is its id as it was typed.
  const names = target.name === target.id ? [id] : [target.name, id];
  return { ...place, instance: [[...names, `${project}/${region}/${id}`]] };
}

/** The value of a rule as the text it is compared by, or why no command can ever have it. */
export type RuleValue =
  | { readonly text: string }
  | { readonly problem: string; readonly typed: string; readonly known: readonly string[] };

/** Reads a value that a rule asks of a field as the same text typed in a command is read. */
export function readRuleValue(
  name: string,
  schema: z.core.$ZodType,
  written: string,
  inventory: Inventory,
): RuleValue {
  const never = (why: string, known: readonly string[]): RuleValue => ({
    problem: `“${written}” never comes of a command: ${why}`,
    typed: written,
    known,
  });
  if (name === 'instance') {
    const text = nameOfInstance(inventory, written.trim());
    return text === undefined
      ? never('give a name or id of the inventory, or project/region/id.', Object.keys(inventory.instances))
      : { text };
  }
  const field = fieldOf(name, schema);
  if (field.kind === 'flag' && written !== 'true' && written !== 'false')
    return never('takes true or false.', ['true', 'false']);
  const typed = fromText(field, written);
  const isList = field.kind === 'texts' || field.kind === 'choices';
  const result = z.safeParse(schema, isList ? [typed] : typed);
  if (!result.success) {
    const [why] = result.error.issues.map(({ message }) => message);
    return never(sentence(why ?? 'cannot be read'), field.choices);
  }
  const text = textsOf(result.data)[0]?.[0];
  if (field.hostName && text !== undefined && portless(text) !== text)
    return never('leave the port out, a rule on a host is about all of its ports.', [portless(text)]);
  return text === undefined
    ? { problem: 'no rule can compare what this field holds: leave it out.', typed: written, known: [] }
    : { text };
}

/** By field: its values, of which only a list has several, each as every text that names it. */
export type EffectiveValues = Readonly<Record<string, readonly (readonly string[])[]>>;
