import { parseArgs } from 'node:util';

import type { Entry } from './catalogue.ts';
import { BellhopError } from './errors.ts';
import type { Field } from './fields.ts';
import { usage } from './help.ts';
import { nearest } from './nearest.ts';

/** Options that belong to the ask, not to the operation's input. */
export interface AskOptions {
  readonly reason?: string;
  readonly breakGlass?: string;
}

export interface OptionTokens {
  readonly positionals: readonly string[];
  readonly ask: AskOptions;
  /** In the order typed; a list field may come more than once. */
  readonly given: readonly { readonly field: Field; readonly typed: string }[];
}

/** What every change takes beside its own fields. Reads take none. */
const askOptions = ['reason', 'break-glass'] as const;

/** @throws BellhopError `bad-input` for an option that is unknown, twice, or without its value */
export function readOptions(entry: Entry, words: readonly string[]): OptionTokens {
  const known = new Map<string, Field | 'ask'>();
  if (entry.operation.risk !== 'read') for (const name of askOptions) known.set(name, 'ask');
  for (const field of entry.fields) if (field.kind !== 'rows') known.set(field.option, field);

  const positionals: string[] = [];
  const ask: { reason?: string; breakGlass?: string } = {};
  const given: { field: Field; typed: string }[] = [];
  for (const token of tokenize(known, words)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const field = known.get(token.name);
    if (!field) throw unknownOption(entry, token.rawName, [...known.keys()]);
    if (field !== 'ask') given.push({ field, typed: optionValue(token, field.kind === 'flag') });
    else if (token.name === 'reason') ask.reason = optionValue(token, false);
    else ask.breakGlass = optionValue(token, false);
  }
  return { positionals, ask, given };
}

function tokenize(known: ReadonlyMap<string, Field | 'ask'>, words: readonly string[]) {
  const types = new Map<string, { type: 'string' | 'boolean' }>();
  for (const [name, field] of known) {
    types.set(name, { type: field !== 'ask' && field.kind === 'flag' ? 'boolean' : 'string' });
  }
  // Not `strict`: its errors cannot suggest the nearest option, and it stops at the first.
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface RawOption {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionValue({ rawName, value, inlineValue }: RawOption, flag: boolean): string {
  if (flag) {
    if (value === undefined || value === 'true') return 'true';
    if (value === 'false') return 'false';
    throw new BellhopError('bad-input', `${rawName} takes no value, or true or false.`);
  }
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('--'))) {
    throw new BellhopError('bad-input', `${rawName} needs a value: ${rawName} <value>.`);
  }
  return value;
}

function unknownOption(entry: Entry, rawName: string, known: readonly string[]): BellhopError {
  const guess = nearest(rawName.replace(/^-+/u, ''), known);
  const hint = guess === undefined ? `It takes: ${usage(entry)}` : `Did you mean “--${guess}”?`;
  return new BellhopError(
    'bad-input',
    `/${entry.area} ${entry.verb} has no option “${abridged(rawName)}”. ${hint} Nothing was done.`,
  );
}

/** What a person typed, short enough to be repeated to them. */
export const abridged = (typed: string): string => (typed.length > 40 ? `${typed.slice(0, 40)}…` : typed);
