import { z } from 'zod';

import { fieldsOf, metaOf } from '../../command/grammar/fields.ts';
import { didYouMean } from '../../text/nearest.ts';
import { abridged } from '../../text/words.ts';
import type { Operation } from '../../model/operation.ts';
import type { Field } from '../../model/registry.ts';
import { risks } from '../../model/rulebook/policy-schema.ts';

/** A mistake in a declaration: its path, `input.pid`, and what to write. */
interface Mistake {
  readonly field: string;
  readonly message: string;
}

interface Known {
  /** The file that each area belongs to. */
  readonly areas: ReadonlyMap<string, string>;
  /** The mistakes in this file so far. */
  readonly names: ReadonlySet<string>;
  /** The kinds of `targets`. */
  readonly kinds: readonly string[];
}

/** Finds all mistakes in a declaration. Its types are not trusted, because the file may be JavaScript. */
export const mistakesOf = (declared: Declared, known: Known): readonly Mistake[] => [
  ...nameMistakes(declared.name, known),
  ...wordMistakes(declared),
  ...functionMistakes(declared),
  ...unknownMembers(declared),
  ...(declared.input instanceof z.ZodObject
    ? inputMistakes(declared.input, declared.escalatedBy, known)
    : [
        {
          field: 'input',
          message: 'must be z.strictObject({ … }), with a described field each; {} takes nothing.',
        },
      ]),
];

/** The value as written in the declaration. */
type Declared = { readonly [Member in keyof Operation]?: unknown };

const areaVerb = /^([a-z][a-z0-9]{0,20})\.([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/u;

const badName = (message: string): readonly Mistake[] => [{ field: 'name', message }];

function nameMistakes(name: unknown, { areas, names }: Known): readonly Mistake[] {
  const said = typeof name === 'string' ? name : '';
  const [, area = '', verb = ''] = areaVerb.exec(said) ?? [];
  if (area === '' || verb.length > 30)
    return badName(`“${abridged(said)}” must be area.verb in small letters, such as db.terminate.`);
  if (verb === 'help') return badName('help is a word of every command: choose another verb.');
  const owner = areas.get(area);
  if (owner !== undefined)
    return badName(`“${said}”: the area “${area}” belongs to ${owner} already. Choose another area.`);
  return names.has(said)
    ? badName(`“${said}” is the name of another operation of this file. Choose another.`)
    : [];
}

const isLine = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !/\p{C}/u.test(value);

function wordMistakes({ name, summary, risk, examples, actionLabel }: Declared): readonly Mistake[] {
  const command = `/${String(name).replace('.', ' ')}`;
  const found: Mistake[] = [];
  if (!isLine(summary, 140))
    found.push({
      field: 'summary',
      message: 'must be one sentence of at most 140 characters, such as End a database connection.',
    });
  if (!risks.some((one) => one === risk))
    found.push({
      field: 'risk',
      message: `“${abridged(String(risk))}” must be ${risks.join(', ')}.${didYouMean(String(risk), risks)}`,
    });
  if (actionLabel !== undefined && !isLine(actionLabel, 40))
    found.push({
      field: 'actionLabel',
      message: 'must be what a button says before the target, in at most 40 characters.',
    });
  // Under another name they begin with other words.
  const isNamed = typeof name === 'string' && areaVerb.test(name);
  const fits = (one: unknown) => isExample(one, isNamed ? command : '');
  if (!Array.isArray(examples) || examples.length > 10 || !examples.every(fits))
    found.push({
      field: 'examples',
      message: `must be at most 10 whole commands that begin with ${command}.`,
    });
  return found;
}

const isExample = (line: unknown, command: string): boolean =>
  isLine(line, 300) && (line === command || command === '' || String(line).startsWith(`${command} `));

/** A misspelt member would silently do nothing. */
const unknownMembers = (declared: Declared): readonly Mistake[] =>
  Object.keys(declared)
    .filter((field) => !Object.hasOwn(memberNames, field))
    .map((field) => ({
      field,
      message: `is not a member of an operation.${didYouMean(field, Object.keys(memberNames))} Correct or remove it.`,
    }));

const memberNames: Readonly<Record<keyof Operation, true>> = {
  name: true,
  summary: true,
  actionLabel: true,
  actionLabelFor: true,
  risk: true,
  escalatedBy: true,
  synonyms: true,
  extension: true,
  instead: true,
  input: true,
  examples: true,
  formOnly: true,
  lookUp: true,
  target: true,
  faults: true,
  preview: true,
  effect: true,
  run: true,
  report: true,
  isKnown: true,
  looksWith: true,
  observe: true,
  sighting: true,
  watch: true,
  tasks: true,
  isRunning: true,
  formSource: true,
  form: true,
};

const isFunction = (value: unknown): boolean => typeof value === 'function';

const members = z.record(z.string(), z.unknown());

const optional = [
  'preview',
  'target',
  'observe',
  'sighting',
  'isRunning',
  'form',
  'faults',
  'actionLabelFor',
] as const;

function functionMistakes(declared: Declared): readonly Mistake[] {
  const { run, report, observe } = declared;
  const [watch, tasks] = [declared.watch, declared.tasks].map((member) => members.safeParse(member).data);
  const found: Mistake[] = [];
  if (!isFunction(run))
    found.push({ field: 'run', message: 'is missing: run: async (input, { target }) => { … } does it.' });
  if (!isFunction(report))
    found.push({
      field: 'report',
      message: 'must be a function: report: (output, { target }) => ({ title }).',
    });
  for (const name of optional)
    if (declared[name] !== undefined && !isFunction(declared[name]))
      found.push({ field: name, message: 'must be a function.' });
  if (watch && ![watch.progress, watch.there, watch.words].every(isFunction))
    found.push({
      field: 'watch',
      message: 'must be { returns, progress, there, words }, the last three functions.',
    });
  if (watch && !observe)
    found.push({ field: 'watch', message: 'needs observe: without it there is nothing to watch.' });
  if (tasks && ![tasks.started, tasks.read, tasks.finished].every(isFunction))
    found.push({
      field: 'tasks',
      message: 'must be { started, read, finished }, and perhaps search, all functions.',
    });
  return found;
}

/** Options of every change. */
const taken: ReadonlySet<string> = new Set(['reason', 'break-glass', 'help']);

function inputMistakes(input: z.ZodObject, escalatedBy: unknown, { kinds }: Known): readonly Mistake[] {
  const shape: z.ZodRawShape = input.shape;
  const fields = fieldsOf(input);
  const targets = fields.filter(({ target }) => target !== undefined);
  return [
    ...fields.flatMap((field) => fieldMistakes(field, shape[field.name], kinds)),
    ...targets.slice(1).map(({ name }) => ({
      field: `input.${name}`,
      message: `says target, and so does input.${targets[0]?.name ?? ''}: an operation has one.`,
    })),
    ...(escalatedBy === undefined || fields.some(({ name, kind }) => name === escalatedBy && kind === 'flag')
      ? []
      : [{ field: 'escalatedBy', message: 'must name a field of the input that is z.boolean().' }]),
  ];
}

function fieldMistakes(
  { name, option, description, target, kind, required }: Field,
  schema: z.core.$ZodType | undefined,
  kinds: readonly string[],
): readonly Mistake[] {
  const field = `input.${name}`;
  const found: Mistake[] = [];
  if (!/^[a-z]\w{0,40}$/u.test(name) || taken.has(option))
    found.push({
      field,
      message: 'needs another name: small letters first, and not reason, breakGlass or help.',
    });
  if (description.trim() === '')
    found.push({ field, message: `has no description: add .describe('What it is.').` });
  for (const key of Object.keys(schema ? metaOf(schema) : {}))
    if (!Object.hasOwn(metaKeys, key))
      found.push({
        field: `${field}.meta`,
        message: `“${abridged(key)}” is not a word of .meta({ … }).${didYouMean(key, Object.keys(metaKeys))} Correct or remove it.`,
      });
  const problem = schema && boundProblem(schemaOf(schema));
  if (problem !== undefined) found.push({ field, message: problem });
  if (target === undefined) return found;
  if (kind !== 'text' || !required)
    found.push({
      field,
      message: 'names the target, so it must be text that is always given: z.string().max(60).',
    });
  if (!kinds.includes(target)) {
    const guess = didYouMean(target, kinds);
    const add = `Add targets: { ${target}: { a-name: { labels: { } } } } to bellhop.yaml.`;
    found.push({
      field,
      message: `names a target of the kind “${abridged(target)}”, which “targets” in bellhop.yaml does not have.${guess || ` ${add}`}`,
    });
  }
  return found;
}

/** A misspelt key of `.meta({ … })` would do nothing, silently. */
const metaKeys: Readonly<Record<MetaKey, true>> = {
  positional: true,
  target: true,
  label: true,
  placeholder: true,
  secret: true,
  hosts: true,
  hostName: true,
  multiline: true,
  extension: true,
  itemsMayContainCommas: true,
  aliases: true,
  synonyms: true,
  id: true,
  title: true,
  description: true,
  deprecated: true,
};

/** The names that are declared, without the index signature of zod. */
type MetaKey = keyof { [K in keyof z.core.GlobalMeta as string extends K ? never : K]: true };

/** The parts of a JSON schema that bound a value. */
const jsonSchema = z.looseObject({
  type: z.unknown().optional(),
  enum: z.unknown().optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  maxLength: z.number().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  maximum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

const schemaOf = (schema: z.core.$ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Formats that bound the length of a text. */
const bounded: ReadonlySet<string> = new Set([
  'uuid',
  'date',
  'time',
  'date-time',
  'duration',
  'ipv4',
  'ipv6',
]);

/** Anchored at both ends, without unbounded repetition. */
const isBoundedPattern = (pattern = ''): boolean =>
  /^\^.*\$$/su.test(pattern) && !/(?<!\\)(?:[*+]|\{\d+,\})/u.test(pattern);

/** Why a field has no bound; undefined if it has one. */
function boundProblem(schema: unknown): string | undefined {
  const { success, data } = jsonSchema.safeParse(schema);
  if (!success) return notEntered;
  if (data.enum !== undefined || data.const !== undefined) return undefined;
  if (data.anyOf) return data.anyOf.map(boundProblem).find((problem) => problem !== undefined);
  switch (data.type) {
    case 'boolean':
    case 'null':
      return undefined;
    case 'string':
      return data.maxLength !== undefined || bounded.has(data.format ?? '') || isBoundedPattern(data.pattern)
        ? undefined
        : 'has no bound: add .max(60), or however long it can be.';
    case 'integer':
    case 'number':
      return Number.isFinite(data.maximum ?? data.exclusiveMaximum)
        ? undefined
        : 'has no bound: add .max(…), the largest number that it can be, or use z.int().';
    case 'array':
      return data.maxItems === undefined
        ? 'has no bound: add .max(20) behind the list.'
        : boundProblem(data.items);
    case 'object':
      return data.properties === undefined
        ? notEntered
        : Object.values(data.properties)
            .map(boundProblem)
            .find((problem) => problem !== undefined);
    default:
      return notEntered;
  }
}

const notEntered =
  "can't be typed, or has no bound. Use z.string().max(…), z.int(), z.boolean(), z.enum([…]), or z.array(…).max(…) of these.";
