import { z } from 'zod';

import { nearest, removedText } from '../../text/nearest.ts';
import type { Finding, Path } from '../../model/rulebook/finding.ts';

export interface SchemaReading<T> {
  /** Undefined if there are findings. */
  readonly data?: T | undefined;
  /** The valid part, of type `Fitting<T>`. Undefined if nothing is valid. */
  readonly fitting?: T | undefined;
  readonly findings: readonly Finding[];
}

export function readBySchema<S extends z.ZodType<object>>(
  schema: S,
  value: unknown,
): SchemaReading<z.output<S>> {
  let fitting: z.output<S> | undefined;
  const noting = schema.superRefine(
    (read, { issues }) => {
      for (const issue of issues) if (!keepsValue(issue)) blank(read, issue.path ?? []);
      fitting = read;
    },
    { when: (payload) => !payload.issues.some(isOfTheWhole) },
  );
  const { data, error } = noting.safeParse(value, { reportInput: true });
  return { data, fitting, findings: (error?.issues ?? []).flatMap((issue) => findingsOf(issue, schema)) };
}

const keepsValue = (issue: z.core.$ZodRawIssue): boolean =>
  issue.continue === true || issue.code === 'unrecognized_keys';

const isOfTheWhole = (issue: z.core.$ZodRawIssue): boolean =>
  issue.code === 'invalid_type' && (issue.path ?? []).length === 0;

function blank(whole: object, path: Path): void {
  let at: unknown = whole;
  for (const step of path.slice(0, -1))
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
  const last = path.at(-1);
  if (last !== undefined && typeof at === 'object' && at !== null) Reflect.set(at, last, undefined);
}

type Issue = z.core.$ZodIssue;

function findingsOf(issue: Issue, schema: z.core.$ZodType): readonly Finding[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => unknownKey([...issue.path, key], key, known));
  }
  if (issue.code === 'invalid_key') {
    return [{ path: issue.path, at: 'key', text: issue.issues.map(sentence).join(' ') }];
  }
  const { code, input } = issue;
  const isPlain = typeof input === 'number' || typeof input === 'boolean';
  const value = code === 'invalid_type' && issue.expected === 'string' && isPlain ? String(input) : undefined;
  return [{ path: issue.path, text: sentence(issue), value, misspelt: misspelt(issue) }];
}

function unknownKey(path: Path, typed: string, known: readonly string[]): Finding {
  const all = nearest(typed, known) === undefined ? ` Known here: ${known.join(', ')}.` : '';
  return { path, at: 'key', text: `is not a valid key here.${all}`, misspelt: { typed, known } };
}

export function keysAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe)
    return keysAt(schema.out instanceof z.ZodTransform ? schema.in : schema.out, path);
  const [step, ...rest] = path;
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: z.core.$ZodShape = schema.shape;
  const inside = shape[String(step)];
  if (step === undefined) return Object.keys(shape);
  return inside ? keysAt(inside, rest) : [];
}

const misspelt = (issue: Issue): Finding['misspelt'] =>
  issue.code === 'invalid_value' && typeof issue.input === 'string'
    ? { typed: issue.input, known: issue.values.map(String) }
    : undefined;

function sentence(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is missing.'
      : `must be ${wanted(issue.expected)}, not ${given(issue.input, issue.expected)}.`;
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    if (issue.input === undefined) return `is missing. Use ${values.join(', ')}.`;
    const removed = typeof issue.input === 'string' ? removedText(issue.input) : undefined;
    if (removed !== undefined) return `${removed} Remove it here.`;
    return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}.`;
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'array') return 'is an empty list. Add an entry, or remove the key.';
    return issue.origin === 'string' ? 'must not be empty.' : `must be at least ${issue.minimum}.`;
  }
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}.`;
  return issue.message;
}

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' };

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
};

const wanted = (expected: string): string => kinds[expected] ?? expected;

const holders: ReadonlySet<string> = new Set(['array', 'object', 'record']);

function given(input: unknown, expected: string): string {
  if (input === null) return 'empty (remove the key, or give it a value)';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'string') return 'text';
  if (typeof input !== 'number' && typeof input !== 'boolean') return 'a mapping';
  if (expected === 'string') return `${input} (as text it is written "${input}")`;
  // A value in place of a mapping, such as under “secrets”, may be a secret.
  return holders.has(expected) ? wanted(typeof input) : String(input);
}
