// oxlint-disable eslint/no-underscore-dangle -- `_zod` is where zod lets libraries define schema types of their own
import { z } from 'zod';

/** A field whose values are taken as they are where they fit: most of every reply, so they cost next to nothing. */
export type Scalar = 'text' | 'integer' | 'number' | 'flag';

/** How to read one field: `schema` reads whatever a scalar does not take as it is. */
export interface LenientField {
  readonly schema: z.ZodType;
  readonly scalar: Scalar | undefined;
}

/** "" is no text, because an empty field reads as undefined. */
function isPlain(scalar: Scalar | undefined, value: unknown): boolean {
  if (scalar === 'text') return typeof value === 'string' && value !== '';
  if (scalar === 'integer') return Number.isInteger(value);
  if (scalar === 'number') return Number.isFinite(value);
  return scalar === 'flag' && typeof value === 'boolean';
}

interface LenientObjectDef extends z.core.$ZodTypeDef {
  type: 'custom';
  fields: ReadonlyMap<string, LenientField>;
  rest: LenientField | undefined;
}

interface LenientObjectInternals extends z.core.$ZodTypeInternals {
  def: LenientObjectDef;
}

interface LenientObject extends z.ZodType {
  _zod: LenientObjectInternals;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a field reads as: undefined where it is empty or misfits, and then with issues. */
const readField = (
  name: string,
  schema: z.ZodType,
  value: unknown,
  payload: z.core.ParsePayload,
  context: z.core.ParseContextInternal,
): unknown => {
  if (value === undefined || value === null || value === '') return undefined;
  const result = schema._zod.run({ value, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  if (result.issues.length > 0) payload.issues.push(...z.core.util.prefixIssues(name, result.issues));
  return result.value;
};

/**
 * An object whose fields may all be missing, null or "", which read as undefined, and whose unknown fields are kept;
 * `rest` says how to read those. It copies an object only where a field changes and allocates nothing for scalars:
 * with 10,000 records that is a fraction of what zod's loose object costs with a `preprocess` on every field.
 */
const LenientObject: z.core.$constructor<LenientObject, LenientObjectDef> = z.core.$constructor(
  'LenientObject',
  (object, def) => {
    z.ZodType.init(object, def);
    const { fields, rest } = def;
    object._zod.parse = (payload, context) => {
      const input: unknown = payload.value;
      if (!isObject(input)) {
        payload.issues.push({ code: 'invalid_type', expected: 'object', input, inst: object });
        return payload;
      }
      let output: Record<string, unknown> | undefined;
      for (const name in input) {
        const field = fields.get(name) ?? rest;
        const value = input[name];
        if (field === undefined || isPlain(field.scalar, value)) continue;
        const result = readField(name, field.schema, value, payload, context);
        if (result === value) continue;
        output ??= { ...input };
        output[name] = result;
      }
      if (output) payload.value = output;
      return payload;
    };
  },
);

/** The lenient form of an object with these fields; its other fields are kept as they are, or read by `rest`. */
export const lenientObject = (
  fields: readonly (readonly [name: string, field: LenientField])[],
  rest?: LenientField,
): z.ZodType => new LenientObject({ type: 'custom', fields: new Map(fields), rest });
