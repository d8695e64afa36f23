import { z } from 'zod';

import type { Entry, Field } from '../../model/registry.ts';
import { badInput } from '../../model/values/errors.ts';
import { type Guess, guessOf, guessText } from '../../text/nearest.ts';
import { isNumberText } from '../../text/exact.ts';
import { orUndefined, likelyDurations } from '../../text/words.ts';
import type { Values } from './grammar.ts';

/** @throws BellhopError `bad-input` that names each invalid field */
export function readInput(entry: Entry, values: Values): z.output<typeof entry.operation.input> {
  const result = checkInput(entry, values);
  if ('data' in result) return result.data;
  const problems = result.issues.slice(0, 10).map((issue) => inputProblem(entry, issue, values));
  const [guess, ...others] = problems.flatMap((one) => (one.guess.words.length > 0 ? [one.guess] : []));
  throw badInput(problems.map(({ text }) => text).join('\n'), { guess: guess && { ...guess, others } });
}

export interface InputIssue extends Pick<z.core.$ZodIssue, 'path' | 'message'> {
  readonly code?: string | undefined;
  readonly params?: unknown;
}

/** The guess that a schema adds to its own issue. At most three of the guessed words are used. */
const ownGuess = z.object({
  guess: z.object({ typed: z.string(), words: z.array(z.string()).transform((words) => words.slice(0, 3)) }),
});
const ownGuessOf = ({ params }: Pick<InputIssue, 'params'>): Guess | undefined =>
  ownGuess.safeParse(params).data?.guess;

/** Checks an input by its schema. If a check or a transform throws, the issue names its field. */
export function checkInput({ operation: { input } }: Entry, values: Values) {
  try {
    const result = input.safeParse(values, { error: plainWords });
    return result.success ? { data: result.data } : { issues: result.error.issues as readonly InputIssue[] };
  } catch {
    const shape: z.ZodRawShape = input.shape;
    const broken = Object.entries(shape).filter(([name, part]) => !isChecked(part, values[name]));
    const issues = broken.map(([name]): InputIssue => ({ path: [name], message: cannotBeChecked }));
    return { issues: issues.length > 0 ? issues : [{ path: [], message: `The input ${cannotBeChecked}` }] };
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
};

const formatWords: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-11-01',
  datetime: 'a time such as 2026-11-01T09:30:00Z',
  email: 'an e-mail address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  url: 'a URL',
  uuid: 'a UUID',
};

/** Words for checks without a message of their own. Undefined leaves zod's words. */
function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : typeWords[issue.expected];
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return boundWords(issue, issue.minimum, ['at least', 'more than']);
    case 'too_big':
      return boundWords(issue, issue.maximum, ['at most', 'less than']);
    case 'invalid_format': {
      const words = formatWords[issue.format];
      return words === undefined ? 'has the wrong format' : `must be ${words}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'unrecognized_keys':
      return undefined;
  }
}

function boundWords(
  {
    origin,
    exact,
    inclusive,
  }: { readonly origin: string; readonly exact?: boolean; readonly inclusive?: boolean },
  bound: number | bigint,
  [within, beyond]: readonly [string, string],
): string {
  const limit = exact ? 'exactly' : inclusive === false ? beyond : within;
  const unit = { string: 'character', array: 'value' }[origin];
  if (unit === undefined) return `must be ${limit} ${bound}`;
  const amount = Number(bound) === 1 ? `one ${unit}` : `${bound} ${unit}s`;
  return `${limit === 'at most' ? 'takes' : 'needs'} ${limit} ${amount}`;
}

const cannotBeChecked = 'cannot be checked, because the check itself fails on this value';

const isChecked = (part: z.core.$ZodType, value: unknown): boolean =>
  orUndefined(() => z.safeParse(part, value)) !== undefined;

function inputProblem(entry: Entry, issue: InputIssue, values: Values) {
  const field = entry.fields.find((candidate) => candidate.name === issue.path[0]);
  const typed = valueAt(values, issue.path);
  const guess = field && typeof typed === 'string' ? guessValue(field, typed) : { typed: '', words: [] };
  if (!field) return { text: sentence(issue.message), guess };
  const name = field.positional ? `<${field.option}>` : `--${field.option}`;
  const text = problemText(name, issueText(issue, values));
  const own = ownGuessOf(issue);
  if (own) return { text, guess: own };
  // The message of a short list of choices already names all of them.
  return { text: guess.words.length === field.choices.length ? text : text + guessText(guess.words), guess };
}

function guessValue({ choices, accepts }: Field, typed: string): Guess {
  const durations = likelyDurations(typed).filter(accepts);
  return durations.length > 0 && !accepts(typed) ? { typed, words: durations } : guessOf(typed, choices);
}

/**
 * Returns the issue's message. A number with too many digits stays text, so zod's message about the type would mislead.
 */
export const issueText = (issue: InputIssue, values: Values): string => {
  const { code, path } = issue;
  const typed = valueAt(values, path);
  const isTooLong = code === 'invalid_type' && typeof typed === 'string' && isNumberText(typed);
  return isTooLong ? 'has more digits than a number can hold exactly' : messageWithGuess(issue);
};

/** Returns the message of an issue, followed by the schema's guess of what was meant, if there is one. */
export const messageWithGuess = (issue: Pick<InputIssue, 'message' | 'params'>): string =>
  issue.message + guessText(ownGuessOf(issue)?.words ?? []);

/**
 * Returns a sentence. A message that is already a sentence stays. Other messages follow the name, as in “must be a
 * size”.
 */
export const problemText = (name: string, message: string): string =>
  isSentence(message) ? message : sentence(`${name}${/^\p{Ll}/u.test(message) ? ' ' : ': '}${message}`);

const isSentence = (text: string): boolean => /[.!?]$/u.test(text);
export const sentence = (text: string): string => (isSentence(text) ? text : `${text}.`);

export const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    values,
  );
