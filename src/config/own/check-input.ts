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

/** @param kinds of targets that have names in bellhop.yaml */
export function* inputMistakes(input: z.ZodObject, kinds: readonly string[]): Generator<Mistake> {
  const fields = fieldsOf(input);
  const shape: z.ZodRawShape = input.shape;
  for (const field of fields)
    for (const message of fieldProblems(field, kinds)) yield { path: ['input', field.name], message };
  for (const [name, schema] of Object.entries(shape)) {
    const problem = boundProblem(
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          // `z.int().catch(1)` would run with 1, whatever people type.
          if (zodSchema instanceof z.ZodCatch) delete jsonSchema.type;
        },
      }),
    );
    if (problem !== undefined) yield { path: ['input', name], message: problem };
    for (const key of Object.keys(metaOf(schema)).filter((one) => !metaKeys.includes(one))) {
      const guess = didYouMean(key, metaKeys);
      const message = `“${abridged(key)}” is not a key of .meta({ … }).${guess} Correct or remove it.`;
      yield { path: ['input', name, 'meta'], message };
    }
  }
  const positionals = fields.filter(({ positional }) => positional);
  const list = positionals.findIndex(({ kind }) => kind === 'texts' || kind === 'choices');
  for (const { name } of list < 0 ? [] : positionals.slice(list + 1))
    yield {
      path: ['input', name],
      message: `can't be typed after input.${positionals[list]?.name}, a list that takes all following words. Make the list the last field.`,
    };
  const [first, ...more] = fields.filter(({ target }) => target !== undefined);
  for (const { name } of more)
    yield {
      path: ['input', name],
      message: `names the target, and so does input.${first?.name ?? ''}: an operation has one target.`,
    };
}

const taken: ReadonlySet<string> = new Set([...Object.keys(commandOptions), 'help']);

function* fieldProblems(field: Field, kinds: readonly string[]): Generator<string> {
  const { name, option, description, target, kind } = field;
  if (!/^[a-z]\w{0,40}$/u.test(name) || taken.has(option) || name in Object.prototype)
    yield 'needs another name: a lower-case letter first, and not reason, breakGlass, each, pause, help, or a name that every JavaScript object has, such as constructor.';
  if (description.trim() === '') yield `has no description: add .describe('What it is.').`;
  if (target === undefined) return;
  if (kind !== 'text') yield 'names the target, so it must be text: z.string().max(60).';
  if (kinds.includes(target)) return;
  const add = ` Add targets: { ${target}: { a-name: { labels: { } } } } to bellhop.yaml.`;
  yield `names a target of the kind “${abridged(target)}”, which “targets” in bellhop.yaml does not have.${didYouMean(target, kinds) || add}`;
}

/** A misspelt key of `.meta({ … })` would do nothing, silently. */
const metaKeys: readonly string[] = [
  ...Object.keys(fieldHints.shape),
  'id',
  'title',
  'description',
  'deprecated',
];

const bounded: ReadonlySet<string> = new Set([
  'uuid',
  'date',
  'time',
  'date-time',
  'duration',
  'ipv4',
  'ipv6',
]);

const isBoundedPattern = (pattern = ''): boolean =>
  /^\^.*\$$/su.test(pattern) && !/(?<!\\)(?:[*+]|\{\d+,\})/u.test(pattern);

type JsonSchema = z.core.JSONSchema._JSONSchema;

/** A field is a value or a list. An item of a list is a value, or a row of a form, which consists of values. */
type Depth = 'field' | 'item' | 'value';

function boundProblem(schema: JsonSchema, depth: Depth = 'field'): string | undefined {
  if (typeof schema === 'boolean') return notEntered;
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) return choices.every(isTyped) ? undefined : notEntered;
  if (schema.anyOf) {
    const [first = false, ...more] = schema.anyOf.filter(
      (one) => typeof one === 'boolean' || one.type !== 'null',
    );
    if (more.length === 0) return boundProblem(first, depth);
    return valuesProblem([first, ...more]);
  }
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
      if (depth !== 'field' || Array.isArray(schema.items)) return notEntered;
      if (schema.maxItems === undefined) return 'is unbounded: add .max(20) to the list.';
      return boundProblem(schema.items ?? false, 'item');
    case 'object':
      if (depth !== 'item' || !schema.properties) return notEntered;
      return valuesProblem(Object.values(schema.properties));
    case undefined:
    default:
      return notEntered;
  }
}

const valuesProblem = (schemas: readonly JsonSchema[]): string | undefined =>
  schemas.map((one) => boundProblem(one, 'value')).find((problem) => problem !== undefined);

const isTyped = (choice: unknown): boolean =>
  typeof choice === 'string'
    ? choice.trim() === choice && choice !== '' && choice !== '__proto__'
    : choice !== null && typeof choice !== 'object';

const notEntered =
  "can't be typed, or is unbounded. Use z.string().max(…), z.int(), z.boolean(), z.enum([…]), or z.array(…).max(…) of these.";
