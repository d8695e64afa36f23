import { z } from 'zod';

import { fieldsOf } from '../../command/grammar/registry.ts';
import type { Operation } from '../../model/operation.ts';
import { risks } from '../../model/rulebook/policy-schema.ts';
import { didYouMean } from '../../text/nearest.ts';
import { abridged } from '../../text/words.ts';
import { inputMistakes, type Mistake } from './check-input.ts';

interface Known {
  readonly areas: ReadonlyMap<string, string>;
  readonly names: ReadonlySet<string>;
  readonly kinds: readonly string[];
}

/** Types are not trusted, because the file may be JavaScript. */
export const mistakesOf = (declared: Declared, known: Known): readonly Mistake[] => [
  ...nameMistakes(declared.name, known),
  ...(form.safeParse(declared).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(unknownMember)
      : [{ path: issue.path.map(String), message: issue.message }],
  ),
  ...contradictions(declared),
  ...(declared.input instanceof z.ZodObject ? inputMistakes(declared.input, known.kinds) : []),
];

type Declared = { readonly [Member in keyof Operation]?: unknown };

const isLine = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !/\p{C}/u.test(value);

const line = (most: number, error: string) => z.custom<string>((value) => isLine(value, most), { error });

const isFunction = (value: unknown): boolean => typeof value === 'function';

const called = (error: string) => z.custom(isFunction, { error });

const perhaps = called('must be a function.').optional();

const unchecked = z.unknown().optional();

const flag = z.boolean('must be true or false.').optional();

const builtIn = z.undefined({ error: 'is not available to operations of your own. Remove it.' }).optional();

const callable = (names: readonly string[], error: string) =>
  z.custom(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((one) => isFunction(Reflect.get(value, one))),
    { error },
  );

/** The form lists every member, because a misspelt member would silently do nothing. */
const form = z.strictObject({
  name: unchecked,
  summary: line(140, 'must be one sentence of at most 140 characters, such as End a database connection.'),
  risk: z.enum(risks, {
    error: ({ input }) =>
      `“${abridged(String(input))}” must be ${risks.join(', ')}.${didYouMean(String(input), risks)}`,
  }),
  actionLabel: line(
    40,
    "must be a button's text of at most 40 characters; the target's name follows it.",
  ).optional(),
  doneWord: line(30, 'must be a word of at most 30 characters, such as restarted.').optional(),
  examples: unchecked,
  input: z.instanceof(z.ZodObject, {
    error: 'must be z.strictObject({ … }), with a description for each field; use {} if it takes no input.',
  }),
  run: called('is missing. Add run: async (input, { target }) => { … }.'),
  report: called('must be a function: report: (output, { target }) => ({ title }).'),
  watch: callable(
    ['progress', 'there', 'words'],
    'must be { returns, progress, there, words }; the last three are functions.',
  ).optional(),
  tasks: z
    .union(
      [callable(['started', 'read', 'finished'], ''), callable(['search', 'finished'], '')],
      'must have the functions { finished, started, read }, { finished, search }, or all four.',
    )
    .optional(),
  preview: perhaps,
  target: perhaps,
  observe: perhaps,
  sighting: perhaps,
  isRunning: perhaps,
  form: perhaps,
  faults: perhaps,
  actionLabelFor: perhaps,
  effect: unchecked,
  escalatedBy: unchecked,
  synonyms: unchecked,
  extension: unchecked,
  instead: unchecked,
  formOnly: flag,
  atOnce: builtIn,
  offeredWith: builtIn,
  act: builtIn,
  lookUp: callable(['find'], 'must be { field, listedBy, find }; find is a function.').optional(),
  isKnown: unchecked,
  looksWith: unchecked,
  startsFromLast: flag,
} satisfies Record<keyof Operation, z.ZodType>);

function* contradictions(declared: Declared): Generator<Mistake> {
  const { name, examples, watch, observe, input, escalatedBy, lookUp } = declared;
  const command = `/${String(name).replace('.', ' ')}`;
  // If the name is invalid, the examples can't be checked against it.
  const isNamed = typeof name === 'string' && areaVerb.test(name);
  const fits = (one: unknown): boolean =>
    isLine(one, 300) && (!isNamed || one === command || String(one).startsWith(`${command} `));
  if (!Array.isArray(examples) || examples.length > 10 || !examples.every(fits))
    yield {
      path: ['examples'],
      message: `must be at most 10 whole commands that begin with ${command}.`,
    };
  if (watch !== undefined && !observe)
    yield { path: ['watch'], message: 'needs observe: without it there is nothing to watch.' };
  if (!(input instanceof z.ZodObject)) return;
  const fields = fieldsOf(input);
  const { data: looks } = lookedUp.safeParse(lookUp);
  if (lookUp !== undefined && !fields.some((field) => field.name === looks?.field))
    yield { path: ['lookUp', 'field'], message: 'must name a field of the input.' };
  if (lookUp !== undefined && !areaVerb.test(looks?.listedBy ?? ''))
    yield { path: ['lookUp', 'listedBy'], message: 'must name a read, such as lb.servers.' };
  if (escalatedBy === undefined) return;
  if (!fields.some((field) => field.name === escalatedBy && field.kind === 'flag'))
    yield { path: ['escalatedBy'], message: 'must name a field of the input that is z.boolean().' };
}

const unknownMember = (name: string): Mistake => {
  const guess = didYouMean(name, Object.keys(form.shape));
  const message = `is not a key of operation({ … }).${guess} Correct or remove it.`;
  return { path: [name], message };
};

const lookedUp = z.object({ field: z.string(), listedBy: z.string() }).partial();

const areaVerb = /^([a-z][a-z0-9]{0,20})\.([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/u;

/** Slack refuses a manifest with a command of its own. Source: Slack's help, built-in slash commands. */
const slackCommands: ReadonlySet<string> = new Set(
  'active apps archive away call collapse dm dnd expand feed feedback huddle invite join kick leave me msg mute open part prefs remind remove rename shortcuts shrug star status topic unarchive unmute who'.split(
    ' ',
  ),
);

function* nameMistakes(name: unknown, { areas, names }: Known): Generator<Mistake> {
  const said = typeof name === 'string' ? name : '';
  const [, area = '', verb = ''] = areaVerb.exec(said) ?? [];
  const path = ['name'];
  const owner = areas.get(area);
  if (area === '' || verb.length > 30)
    yield {
      path,
      message: `“${abridged(said)}” must be area.verb in lower-case letters, such as db.terminate.`,
    };
  else if (slackCommands.has(area))
    yield { path, message: `“${said}”: /${area} is a command of Slack itself. Choose another area.` };
  else if (verb === 'help') yield { path, message: 'help is reserved. Choose another verb.' };
  else if (owner !== undefined)
    yield {
      path,
      message: `“${said}”: the area “${area}” already belongs to ${owner}. Choose another area.`,
    };
  else if (names.has(said))
    yield { path, message: `“${said}” is the name of another operation of this file. Choose another.` };
}
