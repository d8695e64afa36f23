import { z } from 'zod';

import { fieldHints, fieldsOf, metaOf } from '../../command/grammar/registry.ts';
import { commandOptions } from '../../command/grammar/words.ts';
import type { Field } from '../../model/registry.ts';
import { didYouMean } from '../../text/nearest.ts';
import { abridged } from '../../text/words.ts';

export interface Mistake {
  readonly path: readonly string[];
  readonly message: string;
}

/** @param kinds the kinds of `targets` */
export function* inputMistakes(input: z.ZodObject, kinds: readonly string[]): Generator<Mistake> {
  const fields = fieldsOf(input);
  const shape: z.ZodRawShape = input.shape;
  for (const field of fields)
    for (const message of fieldProblems(field, kinds)) yield { path: ['input', field.name], message };
  for (const [name, schema] of Object.entries(shape)) {
    const problem = boundProblem(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    if (problem !== undefined) yield { path: ['input', name], message: problem };
    for (const key of Object.keys(metaOf(schema)).filter((one) => !metaKeys.includes(one))) {
      const guess = didYouMean(key, metaKeys);
      const message = `“${abridged(key)}” is not a key of .meta({ … }).${guess} Correct or remove it.`;
      yield { path: ['input', name, 'meta'], message };
    }
  }
  const [first, ...more] = fields.filter(({ target }) => target !== undefined);
  for (const { name } of more)
    yield {
      path: ['input', name],
      message: `says target, and so does input.${first?.name ?? ''}: an operation has one target.`,
    };
}

const taken: ReadonlySet<string> = new Set([...Object.keys(commandOptions), 'help']);

function* fieldProblems(field: Field, kinds: readonly string[]): Generator<string> {
  const { name, option, description, target, kind, required } = field;
  if (!/^[a-z]\w{0,40}$/u.test(name) || taken.has(option) || name in Object.prototype)
    yield 'needs another name: a lower-case letter first, and not reason, breakGlass, each, pause, help, or a name that every JavaScript object has, such as constructor.';
  if (description.trim() === '') yield `has no description: add .describe('What it is.').`;
  if (target === undefined) return;
  if (kind !== 'text' || !required)
    yield 'names the target, so it must be text that is always given: z.string().max(60).';
  if (kinds.includes(target)) return;
  const add = ` Add targets: { ${target}: { a-name: { labels: { } } } } to bellhop.yaml.`;
  yield `names a target of the kind “${abridged(target)}”, which “targets” in bellhop.yaml does not have.${didYouMean(target, kinds) || add}`;
}

/** A misspelt key of `.meta({ … })` would do nothing, silently. */
const metaKeys: readonly string[] = [...Object.keys(fieldHints), 'id', 'title', 'description', 'deprecated'];

const bounded: ReadonlySet<string> = new Set([
  'uuid',
  'date',
  'time',
  'date-time',
  'duration',
  'ipv4',
  'ipv6',
]);

/** Returns whether the pattern is anchored at both ends, without unbounded repetition. */
const isBoundedPattern = (pattern = ''): boolean =>
  /^\^.*\$$/su.test(pattern) && !/(?<!\\)(?:[*+]|\{\d+,\})/u.test(pattern);

export type JsonSchema = z.core.JSONSchema._JSONSchema;

const anyProblem = (schemas: readonly JsonSchema[]): string | undefined =>
  schemas.map(boundProblem).find((problem) => problem !== undefined);

/** Returns why a field has no bound, or undefined if the field has a bound. */
function boundProblem(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return notEntered;
  if (schema.enum !== undefined || schema.const !== undefined) return undefined;
  if (schema.anyOf) return anyProblem(schema.anyOf);
  switch (schema.type) {
    case 'boolean':
    case 'null':
      return undefined;
    case 'string':
      return schema.maxLength !== undefined ||
        bounded.has(schema.format ?? '') ||
        isBoundedPattern(schema.pattern)
        ? undefined
        : 'is unbounded: add .max(60), or the longest text that it may have.';
    case 'integer':
    case 'number':
      return Number.isFinite(schema.maximum ?? schema.exclusiveMaximum)
        ? undefined
        : 'is unbounded: add .max(…), the largest number that it may be, or use z.int().';
    case 'array':
      if (schema.maxItems === undefined) return 'is unbounded: add .max(20) to the list.';
      return Array.isArray(schema.items) ? notEntered : boundProblem(schema.items ?? false);
    case 'object':
      return schema.properties ? anyProblem(Object.values(schema.properties)) : notEntered;
    case undefined:
    default:
      return notEntered;
  }
}

export const notEntered =
  "can't be typed, or is unbounded. Use z.string().max(…), z.int(), z.boolean(), z.enum([…]), or z.array(…).max(…) of these.";
