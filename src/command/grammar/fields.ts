import { z } from 'zod';

import type { Extension } from '../../model/rulebook.ts';
import type { Entry, Field } from '../../model/registry.ts';
import { capitalized } from '../../text/words.ts';

/** A field's metadata in an input's schema: `z.string().describe('…').meta({ positional: true })`. */
declare module 'zod' {
  interface GlobalMeta {
    /** Typed without its name: `/cloud reboot web-1`. A list takes all following words. */
    positional?: boolean;
    /** It names what the operation acts on, of this kind: `instance`, `container`, or one of `targets` in bellhop.yaml. */
    target?: string;
    /** The field's label in a form. Default: its name, spelled out. */
    label?: string;
    /** Shown in usage and in an empty form field: `web-1`. */
    placeholder?: string;
    /** Takes a name, `secret:log-bucket`, never the secret itself. */
    secret?: boolean;
    /** For a secret: the fields that name the hosts it is used for. */
    hosts?: readonly string[];
    /** A host or a list of hosts, compared in any spelling, without ports. */
    hostName?: boolean;
    /** Several lines in a form. */
    multiline?: boolean;
    /** Offered only if the service has this extension. */
    extension?: Extension;
    /** A list whose items may contain commas: one item per option, one per line in a form. */
    itemsMayContainCommas?: boolean;
    /** Other names that people type for the option: `since` for `from`. */
    aliases?: readonly string[];
    /** For a list: words that stand for one or several items: `{ errors: ['4xx', '5xx'] }`. */
    synonyms?: Readonly<Record<string, readonly string[]>>;
  }
}

/** The fields of an input in the order of its schema. This file alone reads zod's shape. */
export function fieldsOf(schema: z.ZodObject): readonly Field[] {
  const shape: z.ZodRawShape = schema.shape;
  return Object.entries(shape).map(([name, part]) => fieldOf(name, part));
}

/** The field that names what is acted on, of operations whose targets have names and labels. */
export const targetField = ({ fields }: Pick<Entry, 'fields'>): Field | undefined =>
  fields.find(({ target }) => target !== undefined);

export function fieldOf(name: string, part: z.core.$ZodType): Field {
  const { inner, required, fallback, meta } = unwrap(part);
  const option = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
  const words = option.replaceAll('-', ' ');
  return {
    name,
    option,
    label: meta.label ?? capitalized(words),
    description: meta.description ?? '',
    ...shapeOf(inner),
    required,
    positional: meta.positional ?? false,
    target: meta.target,
    secret: meta.secret ?? false,
    hosts: meta.hosts ?? [],
    hostName: meta.hostName ?? false,
    multiline: meta.multiline ?? false,
    extension: meta.extension,
    itemsMayContainCommas: meta.itemsMayContainCommas ?? false,
    aliases: meta.aliases ?? [],
    synonyms: new Map(Object.entries(meta.synonyms ?? {})),
    placeholder: meta.placeholder,
    fallback,
  };
}

/** What a field says about itself, as it was written. */
export const metaOf = (part: z.core.$ZodType): z.core.GlobalMeta => unwrap(part).meta;

interface Unwrapped {
  readonly inner: z.core.$ZodType;
  readonly required: boolean;
  readonly fallback: unknown;
  readonly meta: z.core.GlobalMeta;
}

/** Unwraps optional, default, nullable and transforms, keeping the outermost description and metadata. */
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
  if (inner instanceof z.ZodEnum) return { kind: 'choice', choices: inner.options.map(String), columns: [] };
  if (inner instanceof z.ZodArray) {
    const { inner: item } = unwrap(inner.def.element);
    if (item instanceof z.ZodObject) return { kind: 'rows', choices: [], columns: fieldsOf(item) };
    const { kind, choices } = shapeOf(item);
    return { kind: kind === 'choice' ? 'choices' : 'texts', choices, columns: [] };
  }
  return { kind: 'text', choices: [], columns: [] };
}
