import { z } from 'zod';
import { lenientArray } from './lenient-array.ts';
import { type LenientField, lenientObject, type Scalar } from './lenient-object.ts';

/**
 * What remains of an exact shape when it is read leniently: every field may be undefined, every set of known
 * values is just a string. Unknown fields are kept in the value but not in the type.
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

/** JSON.parse has rounded an integer beyond ±2⁵³−1 already, so any size is let through: see `isInexact`. */
const anyInteger = z.number('expected integer').refine(Number.isInteger, 'expected integer');

const anyNumber = z.number();
const anyBoolean = z.boolean();
const anyText = z.string();

const scalars = new Map<z.ZodType, Scalar>([
  [anyText, 'text'],
  [anyInteger, 'integer'],
  [anyNumber, 'number'],
  [anyBoolean, 'flag'],
]);

const isWrapper = (
  schema: z.ZodType,
): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodReadonly;

/** Inside other schemas zod gives schemas of its core type only. */
const inner = (schema: unknown): z.ZodType => loosened(z.instanceof(z.ZodType).parse(schema));

const loosened = (schema: z.ZodType): z.ZodType => {
  if (isWrapper(schema)) return inner(schema.def.innerType);
  if (schema instanceof z.ZodObject) return loosenedObject(schema);
  if (schema instanceof z.ZodArray) return lenientArray(inner(schema.def.element));
  if (schema instanceof z.ZodRecord) return lenientObject([], field(schema.def.valueType));
  if (schema instanceof z.ZodUnion) return z.union(schema.def.options.map(inner));
  if (schema instanceof z.ZodNumberFormat) return anyInteger;
  if (schema instanceof z.ZodNumber) return anyNumber;
  if (schema instanceof z.ZodBoolean) return anyBoolean;
  if (schema instanceof z.ZodUnknown) return z.unknown();
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return anyText;
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return anyText;
  throw new TypeError(`lenient() has no rule for a schema of type ${schema.def.type}`);
};

const field = (exact: unknown): LenientField => {
  const schema = inner(exact);
  return { schema, scalar: scalars.get(schema) };
};

const loosenedObject = (schema: z.ZodObject): z.ZodType => {
  const fields = Object.entries(schema.shape).map(([name, exact]) => [name, field(exact)] as const);
  const { catchall } = schema.def;
  const isOpen = catchall === undefined || catchall instanceof z.ZodNever || catchall instanceof z.ZodUnknown;
  return lenientObject(fields, isOpen ? undefined : field(catchall));
};

/**
 * The schema for reading what an exact schema describes: unknown fields are kept, every field may be missing, null
 * or "" (all three read as undefined), listed values become any string. Read with `readLeniently`.
 *
 * @throws TypeError for a kind of schema that no resource of the interface uses.
 */
export const lenient = <Exact>(schema: z.ZodType<Exact>): z.ZodType<Lenient<Exact>> =>
  z.pipe(loosened(schema), z.custom<Lenient<Exact>>());

/** What could be read, and what could not: one line a field, like `results[0].flavor.ram: expected integer`. */
export interface LenientReading<Value> {
  readonly value: Value;
  readonly problems: string[];
}

const mostProblems = 100;

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) =>
      typeof step === 'number' ? `[${String(step)}]` : `${index > 0 ? '.' : ''}${String(step)}`,
    )
    .join('');

const expectedBy = (issue: z.core.$ZodIssue): string[] => {
  if (issue.message.startsWith('expected ')) return [issue.message.slice('expected '.length)];
  if (issue.code === 'invalid_type') return [issue.expected === 'record' ? 'object' : issue.expected];
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(expectedBy);
  return [];
};

const problemText = (issue: z.core.$ZodIssue): string => {
  const expected = [...new Set(expectedBy(issue))];
  const reason = expected.length > 0 ? `expected ${expected.join(' or ')}` : issue.message;
  return issue.path.length > 0 ? `${pathText(issue.path)}: ${reason}` : reason;
};

const child = (parent: unknown, step: PropertyKey): unknown =>
  typeof parent === 'object' && parent !== null ? Reflect.get(parent, step) : undefined;

/** Takes the fields and items at these paths out, items from the last to the first so that none moves another. */
const drop = (json: unknown, paths: readonly PropertyKey[][]): void => {
  for (const path of paths.toReversed()) {
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce(child, json);
    if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1);
    else if (typeof parent === 'object' && parent !== null && last !== undefined) {
      Reflect.deleteProperty(parent, last);
    }
  }
};

const readNothing = <Value>(schema: z.ZodType<Value>): Value => {
  const empty = schema.safeParse({});
  return empty.success ? empty.data : schema.parse([]);
};

const listed = (issues: readonly z.core.$ZodIssue[]): string[] => {
  const problems = issues.slice(0, mostProblems).map(problemText);
  const rest = issues.length - problems.length;
  return rest > 0 ? [...problems, `and ${String(rest)} more`] : problems;
};

/**
 * Reads a reply with a schema made by `lenient`. Where all fits it is one parse. Where something does not, each field
 * that misfits is named in `problems` (at most 100, then how many more) and left out, an array item too, and all else
 * is returned. `json` is not altered.
 */
export const readLeniently = <Value>(schema: z.ZodType<Value>, json: unknown): LenientReading<Value> => {
  const whole = schema.safeParse(json);
  if (whole.success) return { value: whole.data, problems: [] };

  const issues = whole.error.issues;
  if (issues.some((issue) => issue.path.length === 0)) {
    return { value: readNothing(schema), problems: listed(issues) };
  }
  const rest = structuredClone(json);
  drop(
    rest,
    issues.map((issue) => issue.path),
  );
  const partial = schema.safeParse(rest);
  return { value: partial.success ? partial.data : readNothing(schema), problems: listed(issues) };
};
