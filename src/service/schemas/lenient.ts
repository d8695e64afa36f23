import { z } from 'zod';
import { exactNumber, isNumberText, isObject } from '../../text/exact.ts';

/**
 * The type of an exact shape that is read leniently. Every field may be undefined, and every enum is a string. Unknown
 * fields are kept in the value but not in the type.
 */
export type Lenient<Exact> = unknown extends Exact
  ? unknown
  : Exact extends string
    ? string
    : Exact extends number
      ? number
      : Exact extends boolean
        ? boolean
        : Exact extends readonly (infer Item)[]
          ? Lenient<Item>[]
          : Exact extends object
            ? { [Field in keyof Exact]?: Lenient<Exclude<Exact[Field], null | undefined>> | undefined }
            : Exact;

interface Reading {
  readonly path: (string | number)[];
  readonly problems: string[];
}

/** Reads one kind of value. A value that does not fit is noted in the reading, and `misfit` is returned. */
interface Reader {
  readonly expected: string;
  /** Whether the value stays as it is. */
  readonly fits?: (value: unknown) => boolean;
  read(value: unknown, reading: Reading): unknown;
}

const misfit = Symbol('misfit');

const refuse = ({ path, problems }: Reading, expected: string): typeof misfit => {
  const where = path.map((step, index) =>
    typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`,
  );
  problems.push(`${where.join('')}${path.length > 0 ? ': ' : ''}expected ${expected}`);
  return misfit;
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** @param valueOf returns the value in the type that its readers expect */
const scalar = (
  expected: string,
  fits: (value: unknown) => boolean,
  valueOf: (value: unknown) => unknown = (value) => value,
): Reader => ({
  expected,
  fits,
  read(value, reading) {
    if (fits(value)) return value;
    const is = valueOf(value);
    return fits(is) ? is : refuse(reading, expected);
  },
});

/** Some services write numbers as text. */
const numberIn = (value: unknown): unknown => (typeof value === 'string' ? exactNumber(value.trim()) : value);

const text = scalar('string', (value) => typeof value === 'string');
/** A larger integer may be an id, so it is refused instead of rounded, unless the schema also accepts a BigInt. */
const integer = scalar('integer', Number.isInteger, numberIn);
const largeInteger = scalar(
  'integer',
  (value) => typeof value === 'bigint',
  (value) => (typeof value === 'string' && /^-?\d{1,300}$/u.test(value) ? BigInt(value) : value),
);
/** A number is a measured value, which may be rounded. */
const number = scalar('number', Number.isFinite, (value) =>
  typeof value === 'bigint' || (typeof value === 'string' && isNumberText(value.trim()))
    ? Number(value)
    : value,
);
const flag = scalar('boolean', (value) => typeof value === 'boolean');
const anything: Reader = { expected: 'anything', read: (value) => value };

/** Reads missing fields, null and "" as undefined. Fields that `readerOf` does not know are kept. */
const objectOf = (readerOf: (name: string) => Reader | undefined): Reader => ({
  expected: 'object',
  read(value, reading) {
    if (!isObject(value)) return refuse(reading, 'object');
    let changed: Record<string, unknown> | undefined;
    for (const name in value) {
      const reader = readerOf(name);
      if (reader === undefined) continue;
      const was = value[name];
      if (was !== '' && ((reader === text && typeof was === 'string') || reader.fits?.(was))) continue;
      reading.path.push(name);
      const is = isEmpty(was) ? undefined : reader.read(was, reading);
      reading.path.pop();
      if (is === was) continue;
      changed ??= { ...value };
      if (is === misfit) Reflect.deleteProperty(changed, name);
      else changed[name] = is;
    }
    return changed ?? value;
  },
});

const arrayOf = (item: Reader): Reader => ({
  expected: 'array',
  read(value, reading) {
    if (!isList(value)) return refuse(reading, 'array');
    let changed: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      reading.path.push(index);
      const is = item.read(value[index], reading);
      reading.path.pop();
      if (is !== value[index]) changed ??= value.slice(0, index);
      if (is !== misfit) changed?.push(is);
    }
    return changed ?? value;
  },
});

const oneOf = (options: readonly Reader[]): Reader => {
  const expected = [...new Set(options.map((option) => option.expected))].join(' or ');
  return {
    expected,
    fits: (value) => options.some(({ fits }) => fits?.(value)),
    read(value, reading) {
      for (const option of options) {
        const attempt: Reading = { path: reading.path, problems: [] };
        const is = option.read(value, attempt);
        if (attempt.problems.length === 0) return is;
      }
      return refuse(reading, expected);
    },
  };
};

/** Nested schemas have only zod's core type. */
const readerFor = (exact: unknown): Reader => {
  const schema = z.instanceof(z.ZodType).parse(exact);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return readerFor(schema.def.innerType);
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodArray) return arrayOf(readerFor(schema.def.element));
  if (schema instanceof z.ZodRecord) {
    const value = readerFor(schema.def.valueType);
    return objectOf(() => value);
  }
  if (schema instanceof z.ZodUnion) return oneOf(schema.def.options.map(readerFor));
  if (schema instanceof z.ZodNumberFormat) return integer;
  if (schema instanceof z.ZodNumber) return number;
  if (schema instanceof z.ZodBigInt) return largeInteger;
  if (schema instanceof z.ZodBoolean) return flag;
  if (schema instanceof z.ZodUnknown) return anything;
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return text;
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return text;
  throw new TypeError(`lenient() has no rule for a schema of type ${schema.def.type}`);
};

const objectReader = ({ shape, def: { catchall } }: z.ZodObject): Reader => {
  const fields = new Map(Object.entries(shape).map(([name, exact]) => [name, readerFor(exact)]));
  const isOpen = catchall === undefined || catchall instanceof z.ZodNever || catchall instanceof z.ZodUnknown;
  const rest = isOpen ? undefined : readerFor(catchall);
  return objectOf((name) => fields.get(name) ?? rest);
};

/** `problems` has one line for each field that could not be read, such as `results[0].flavor.ram: expected integer`. */
export interface LenientReading<Value> {
  readonly value: Value;
  readonly problems: readonly string[];
}

export interface LenientSchema<Value> {
  /** Reports invalid fields and array items (at most 100, then their number), and omits them. */
  read(json: unknown): LenientReading<Value>;
}

export type ReadBy<Schema> = Schema extends LenientSchema<infer Value> ? Value : never;

const maxProblems = 100;

/**
 * Returns a lenient version of an exact schema. Unknown fields are kept, and enums become any string. Every field may
 * be missing, null or "", which all read as undefined. A number may be text. If nothing fits, the result is an empty
 * object or list.
 * The schema's `read` throws a TypeError for a kind of schema that no resource of the interface uses.
 */
export const lenient = <Exact>(schema: z.ZodType<Exact>): LenientSchema<Lenient<Exact>> => {
  let reader: Reader | undefined;
  const nothing = schema instanceof z.ZodArray ? [] : {};
  // The reader was made from the schema, so its output has the lenient shape.
  const shaped = z.custom<Lenient<Exact>>();
  return {
    read(json) {
      const problems: string[] = [];
      // The reader is made on first use, because making it at the start would delay the first command.
      reader ??= readerFor(schema);
      const read = reader.read(json, { path: [], problems });
      const more = problems.length - maxProblems;
      return {
        value: shaped.parse(read === misfit ? nothing : read),
        problems: more > 0 ? [...problems.slice(0, maxProblems), `and ${more} more`] : problems,
      };
    },
  };
};
