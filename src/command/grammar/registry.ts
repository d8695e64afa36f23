import { z } from 'zod';

import { extensions as knownExtensions } from '../../model/rulebook/schema.ts';
import { badConfiguration, type BellhopError } from '../../model/values/errors.ts';
import type { Extension, Rulebook } from '../../model/rulebook/rulebook.ts';
import { targetsOfKind } from '../../model/rulebook/target.ts';
import type { Field, Entry, Registry } from '../../model/registry.ts';
import type { Operation } from '../../model/operation.ts';
import { capitalized, orUndefined } from '../../text/words.ts';

/** Returns the action before the target's name. @param entry undefined if this version no longer has the operation */
export const actionLabelOf = (
  entry: Entry | undefined,
  { operation, input }: { readonly operation: string; readonly input: Readonly<Record<string, unknown>> },
): string =>
  entry
    ? (entry.operation.actionLabelFor?.(input) ?? entry.operation.actionLabel ?? labelOf(entry, input))
    : operation;

/** The command as people type it, such as `/cdn metrics`. */
export const typedName = ({ area, verb }: Pick<Entry, 'area' | 'verb'>): string => `/${area} ${verb}`;

export const doneWordOf = (entry: Entry | undefined): string => entry?.operation.doneWord ?? 'succeeded';

/** These verbs create something other than the target: `/backup create orders` creates a backup. */
const creating: ReadonlySet<string> = new Set(
  'add book create insert issue make new open post register schedule send submit upload'.split(' '),
);

function labelOf({ area, verb, fields }: Entry, input: Readonly<Record<string, unknown>>): string {
  const [first = '', ...rest] = verb.split('-');
  const what = rest.length > 0 ? rest : targetField({ fields }) && [area];
  if (!creating.has(first) || !what) return [first, ...rest].join(' ');
  const named = fields.find(
    ({ kind, target, secret, positional, required }) =>
      kind === 'text' && target === undefined && !secret && (positional || required),
  );
  const given = named && input[named.name];
  // Any other text could change the meaning of the title.
  const name = typeof given === 'string' && /^[\w./-]{1,40}$/u.test(given) ? [given] : [];
  return [first, ...what, ...name, 'on'].join(' ');
}

/**
 * Returns the operations that a service with these extensions offers, without the fields that need another extension.
 * @throws BellhopError `configuration` if two operations share a name or a name has no area
 */
export function createRegistry(
  operations: readonly Operation[],
  extensions: readonly Extension[],
  targets: Registry['targets'] = () => ({}),
): Registry {
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
    targets,
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
    fields,
  };
}

const badName = ({ name }: Operation): BellhopError =>
  badConfiguration(`“${name}” is not a unique name of the form area.verb`);

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

/** A registry that follows the rulebook, because a reload can switch extensions on or off, and change targets. */
export function followExtensions(
  operations: readonly Operation[],
  rulebook: () => Pick<Rulebook, 'extensions' | 'inventory'>,
): Registry {
  const targets = (kind: string) => targetsOfKind(rulebook().inventory, kind);
  let on = rulebook().extensions;
  let registry = createRegistry(operations, on, targets);
  const current = (): Registry => {
    const now = rulebook().extensions;
    if (now !== on) [on, registry] = [now, createRegistry(operations, now, targets)];
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
    targets,
  };
}

const isSet = z.boolean().default(false).catch(false);
const strings = z.array(z.string()).readonly().default([]).catch([]);
const perhaps = z.string().optional().catch(undefined);

/** The metadata of a field in an input's schema, as in `z.string().describe('…').meta({ positional: true })`. */
export const fieldHints = z.object({
  /** The field is typed without its name, as in `/cloud reboot web-1`. A list takes all following words. */
  positional: isSet,
  /** The kind of target that the field names: `instance`, `container`, or one of `targets` in bellhop.yaml. */
  target: perhaps,
  /** The field's label in a form. Default: its name, spelled out. */
  label: perhaps,
  /** An example such as `web-1`, shown in usage and in an empty form field. */
  placeholder: perhaps,
  /** The field takes a name such as `secret:log-bucket`, never the secret itself. */
  secret: isSet,
  /** For a secret, the fields that name the hosts to which the secret is sent. */
  hosts: strings,
  /** The values are hosts, which are compared in any spelling and without ports. */
  hostName: isSet,
  multiline: isSet,
  extension: z
    .enum([...knownExtensions, 'accounts'])
    .optional()
    .catch(undefined),
  /** The items of the list may contain commas, so each option has one item, and so has each line in a form. */
  itemsMayContainCommas: isSet,
  /** How a form shows the choices, such as `{ s3: 'S3' }`. Their values stay as they are. */
  choiceLabels: z.record(z.string(), z.string()).readonly().default({}).catch({}),
  /** Other names that people type for the option, such as `since` for `from`. */
  aliases: strings,
  /** For a list, words that stand for one or several items, such as `{ errors: ['4xx', '5xx'] }`. */
  synonyms: z.record(z.string(), z.array(z.string()).readonly()).readonly().default({}).catch({}),
});
type FieldHints = z.input<typeof fieldHints>;

declare module 'zod' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- zod's metadata are extended
  interface GlobalMeta extends FieldHints {}
}

/** Returns the fields of an input in the order of its schema. Only this file reads zod's shape. */
export function fieldsOf(schema: z.ZodObject): readonly Field[] {
  const shape: z.ZodRawShape = schema.shape;
  return Object.entries(shape).map(([name, part]) => fieldOf(name, part));
}

export const targetField = ({ fields }: Pick<Entry, 'fields'>): Field | undefined =>
  fields.find(({ target }) => target !== undefined);

export function fieldOf(name: string, part: z.core.$ZodType): Field {
  const { inner, required, fallback, meta } = unwrap(part);
  const option = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
  const words = option.replaceAll('-', ' ');
  const hints = fieldHints.parse(meta);
  const taken = inner instanceof z.ZodArray ? inner.def.element : part;
  return {
    name,
    option,
    ...hints,
    label: hints.label ?? capitalized(words),
    synonyms: new Map(Object.entries(hints.synonyms)),
    description: meta.description ?? '',
    ...shapeOf(inner),
    accepts: (value) => orUndefined(() => z.safeParse(taken, value).success) ?? false,
    required,
    fallback,
  };
}

export const metaOf = (part: z.core.$ZodType): z.core.GlobalMeta => unwrap(part).meta;

interface Unwrapped {
  readonly inner: z.core.$ZodType;
  readonly required: boolean;
  readonly fallback: unknown;
  readonly meta: z.core.GlobalMeta;
}

/** Unwraps optional, default, nullable and transforms, and keeps the outermost description and metadata. */
function unwrap(part: z.core.$ZodType): Unwrapped {
  let inner = part;
  let required = true;
  let fallback: unknown;
  const meta: z.core.GlobalMeta = {};
  for (;;) {
    Object.assign(meta, { ...z.globalRegistry.get(inner), ...meta });
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
      required = false;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      required = false;
      fallback = inner.def.defaultValue;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodPipe) {
      inner = inner.def.in;
    } else return { inner, required, fallback, meta };
  }
}

function shapeOf(inner: z.core.$ZodType): Pick<Field, 'kind' | 'choices' | 'columns'> {
  if (inner instanceof z.ZodBoolean) return { kind: 'flag', choices: [], columns: [] };
  if (inner instanceof z.ZodNumber) {
    return { kind: inner.isInt ? 'integer' : 'number', choices: [], columns: [] };
  }
  const values = choicesOf(inner);
  if (values) return { kind: 'choice', choices: values.map(String), columns: [] };
  if (inner instanceof z.ZodArray) {
    const { inner: item } = unwrap(inner.def.element);
    if (item instanceof z.ZodObject) return { kind: 'rows', choices: [], columns: fieldsOf(item) };
    const { kind, choices } = shapeOf(item);
    return { kind: kind === 'choice' ? 'choices' : 'texts', choices, columns: [] };
  }
  return { kind: 'text', choices: [], columns: [] };
}

/** The values of an enum, of literals, or of a union of these. */
function choicesOf(inner: z.core.$ZodType): readonly unknown[] | undefined {
  if (inner instanceof z.ZodEnum) return inner.options;
  if (inner instanceof z.ZodLiteral) return [...inner.values];
  if (!(inner instanceof z.ZodUnion)) return undefined;
  const values = inner.def.options.map((one) => choicesOf(unwrap(one).inner));
  return values.includes(undefined) ? undefined : values.flat();
}
