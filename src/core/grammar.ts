import type { z } from 'zod';

import type { Catalogue, Entry } from './catalogue.ts';
import { BellhopError } from './errors.ts';
import type { Field } from './fields.ts';
import { usage } from './help.ts';
import { didYouMean, nearest } from './nearest.ts';
import { abridged, readOptions, type AskOptions } from './option-tokens.ts';
import { quoteWord, splitWords } from './words.ts';

/** Values by field name, as entered: what an operation's input schema reads. */
export type Values = Readonly<Record<string, unknown>>;

/** What typed words mean. `form`: an input is missing, or the operation is entered only in a form. */
export type Parsed =
  | {
      readonly kind: 'ask' | 'form';
      readonly entry: Entry;
      readonly values: Values;
      readonly options: AskOptions;
    }
  | { readonly kind: 'help'; readonly area: string; readonly entry?: Entry };

/**
 * Reads the text after `/area`.
 * @throws BellhopError `unknown-command`, `bad-input`, each with the nearest right thing
 */
export function parse(catalogue: Catalogue, area: string, text: string): Parsed {
  const entries = catalogue.areas.get(area);
  if (!entries) {
    const known = [...catalogue.areas.keys()];
    throw new BellhopError('unknown-command', `There is no command /${area}.${didYouMean(area, known)}`);
  }
  const [verb, ...words] = splitWords(text);
  if (verb === undefined || verb === 'help' || verb === '--help') {
    const named =
      entries.find((entry) => entry.verb === words[0]) ?? entries.find((entry) => entry.verb === verb);
    return named ? help(area, named) : { kind: 'help', area };
  }
  const entry = entries.find((candidate) => candidate.verb === verb.toLowerCase());
  if (!entry) throw unknownVerb(entries, area, verb);
  if (words.includes('--help')) return help(area, entry);
  return read(entry, words);
}

const help = (area: string, entry: Entry): Parsed =>
  entry.operation.name === 'bellhop.help' ? { kind: 'help', area } : { kind: 'help', area, entry };

function unknownVerb(entries: readonly Entry[], area: string, verb: string): BellhopError {
  const verbs = entries.map((entry) => entry.verb);
  const guess = nearest(verb, verbs);
  const hint = guess === undefined ? `It knows: ${verbs.join(', ')}.` : `Did you mean “/${area} ${guess}”?`;
  return new BellhopError(
    'unknown-command',
    `/${area} has no “${abridged(verb)}”. ${hint} Nothing was done.`,
  );
}

function read(entry: Entry, words: readonly string[]): Parsed {
  const values: Record<string, unknown> = {};
  const { positionals, ask, given } = readOptions(entry, words);
  for (const { field, typed } of given) give(field, typed, values);
  placePositionals(entry, positionals, values);
  const missing = entry.fields.some((field) => field.required && values[field.name] === undefined);
  const formOnly = entry.operation.formOnly === true;
  return { kind: missing || formOnly ? 'form' : 'ask', entry, values, options: ask };
}

/** Sets a typed value; a list option may be repeated or hold commas, anything else only once. */
function give(field: Field, typed: string, values: Record<string, unknown>): void {
  if (field.kind === 'texts' || field.kind === 'choices') {
    const earlier: unknown = values[field.name];
    const items = typed
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    values[field.name] = [...(Array.isArray(earlier) ? earlier.map(String) : []), ...items];
    return;
  }
  if (values[field.name] !== undefined) {
    throw new BellhopError('bad-input', `“${field.option}” is given twice. Give it once.`);
  }
  values[field.name] = fromText(field, typed);
}

/** Numbers and flags as such; what does not read as one stays text, for the schema to refuse by name. */
export function fromText(field: Field, typed: string): unknown {
  if (field.kind === 'flag') return typed === 'true';
  if ((field.kind === 'integer' || field.kind === 'number') && /^-?\d+(\.\d+)?$/u.test(typed))
    return Number(typed);
  return typed;
}

function placePositionals(entry: Entry, typed: readonly string[], values: Record<string, unknown>): void {
  const waiting = entry.fields.filter((field) => field.positional && values[field.name] === undefined);
  let next = 0;
  for (const word of typed) {
    const field = waiting[next];
    if (!field) {
      throw new BellhopError(
        'bad-input',
        `/${entry.area} ${entry.verb} does not take “${abridged(word)}”. ${usage(entry)}${quoteHint(typed)}`,
      );
    }
    give(field, word, values);
    if (field.kind !== 'texts' && field.kind !== 'choices') next += 1;
  }
}

const quoteHint = (typed: readonly string[]): string =>
  typed.length > 1 ? ' Put quotes around words that belong together.' : '';

/**
 * Reads values with the operation's schema.
 * @throws BellhopError `bad-input` that names each field at fault
 */
export function readInput(entry: Entry, values: Values): z.output<typeof entry.operation.input> {
  const result = entry.operation.input.safeParse(values);
  if (result.success) return result.data;
  throw new BellhopError(
    'bad-input',
    inputProblems(entry, result.error.issues)
      .map(({ text }) => text)
      .join('\n'),
  );
}

/** One problem a field, by field name, as a person reads it. */
export function inputProblems(
  entry: Entry,
  issues: readonly z.core.$ZodIssue[],
): readonly { readonly field: string; readonly text: string }[] {
  return issues.slice(0, 10).map((issue) => {
    const field = entry.fields.find((candidate) => candidate.name === issue.path[0]);
    const name =
      field?.positional === true ? `<${field.option}>` : `--${field?.option ?? issue.path.join('.')}`;
    return {
      field: field?.name ?? '',
      text: issue.path.length === 0 ? issue.message : `${name}: ${issue.message}`,
    };
  });
}

/** The ask as words that read back to it, for "ask again" and for paging. */
export function format(entry: Entry, values: Values, options: AskOptions = {}): string {
  const words: string[] = [entry.verb];
  for (const field of entry.fields) {
    const value = values[field.name];
    if (value === undefined || value === null || field.kind === 'rows') continue;
    const items = (Array.isArray(value) ? value : [value]).map(String);
    if (field.positional) words.push(...items.map(quoteWord));
    else if (field.kind === 'flag') words.push(...(value === true ? [`--${field.option}`] : []));
    else words.push(...items.map((item) => optionWord(field.option, item)));
  }
  if (options.reason !== undefined) words.push(optionWord('reason', options.reason));
  return `/${entry.area} ${words.join(' ')}`;
}

/** `--name value`, or `--name=value` where the value itself begins like an option. */
const optionWord = (name: string, value: string): string =>
  value.startsWith('-') ? `--${name}=${quoteWord(value)}` : `--${name} ${quoteWord(value)}`;
