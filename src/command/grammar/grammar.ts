import type { Entry, Field, Registry } from '../../model/registry.ts';
import { badInput, BellhopError, misspelt } from '../../model/values/errors.ts';
import type { Operation } from '../../model/operation.ts';
import { guessOf, guessText, nearest, removedText } from '../../text/nearest.ts';
import { targetField, typedName } from './registry.ts';
import { usage } from './help.ts';
import { exactNumber } from '../../text/exact.ts';
import { abridged, quoteWord } from '../../text/words.ts';
import { refuseSecrets } from './refuse.ts';
import { isList, labelsForTarget, targetsFor, tooManyTargets } from './several-targets.ts';
import {
  itemsOf,
  splitWords,
  type CommandOptions,
  readOptionWords,
  offeredOptions,
  unquoteStart,
} from './words.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface EnteredCommand {
  readonly entry: Entry;
  readonly values: Values;
  readonly options: CommandOptions;
}

/** The meaning of typed words. `form` means that an input is missing, or that the operation is entered only in a form. */
export type Parsed =
  | ({ readonly kind: 'command' | 'form' } & EnteredCommand)
  | { readonly kind: 'help'; readonly area: string; readonly entry?: Entry };

/** @throws BellhopError `unknown-command`, `bad-input`, each with a suggestion */
export function parse(registry: Registry, area: string, text: string): Parsed {
  const entries = registry.areas.get(area);
  if (!entries) {
    const known = [...registry.areas.keys()].map((name) => `/${name}`);
    const verbs = registry.entries.filter(({ verb }) => verb === area.toLowerCase());
    const meant = verbs.length > 0 ? verbs.map(typedName) : text === '' ? commandsOn(registry, area) : [];
    const words = meant.length > 0 ? meant : guessOf(`/${area}`, known).words;
    const guess = { typed: area, words: words.map((word) => word.slice(1)) };
    throw new BellhopError('unknown-command', `Unknown command /${area}.${guessText(words)}`, { guess });
  }
  const [typed, ...words] = splitWords(unquoteStart(text.trim()));
  const verb = typed?.toLowerCase();
  if (typed === undefined || verb === undefined || isHelp(verb)) {
    const about = words.find((word) => !isHelp(word))?.toLowerCase();
    return about === undefined
      ? { kind: 'help', area }
      : help(area, entryOf(registry, entries, area, [about]));
  }
  const off = registry.findOff(`${area}.${verb}`);
  if (off) throw switchedOff(off, area, verb);
  const entry = entryOf(registry, entries, area, [typed, ...words]);
  const [word = '', ...more] = words;
  if (words.includes('--help') || (more.length === 0 && isHelp(word))) return help(area, entry);
  return readWords(registry, entry, words);
}

/** The first commands that take this target. */
const commandsOn = (registry: Registry, name: string): readonly string[] =>
  registry.entries
    .filter((entry) => Object.hasOwn(registry.targets(targetField(entry)?.target ?? ''), name))
    .slice(0, 3)
    .map((entry) => `${typedName(entry)} ${quoteWord(name)}`);

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h', '?']);
const isHelp = (word: string): boolean => helpWords.has(word.toLowerCase());

const help = (area: string, entry: Entry): Parsed =>
  entry.operation.name === 'bellhop.help' ? { kind: 'help', area } : { kind: 'help', area, entry };

/** Verbs are compared in lower case, because phones start a message with a capital letter. */
function entryOf(
  registry: Registry,
  entries: readonly Entry[],
  area: string,
  words: readonly string[],
): Entry {
  const [typed = ''] = words;
  const entry = entries.find((candidate) => candidate.verb === typed.toLowerCase());
  if (!entry) throw unknownVerb(registry, entries, area, words);
  return entry;
}

function switchedOff({ extension, instead }: Operation, area: string, verb: string): BellhopError {
  const next = instead === undefined ? '' : ` ${instead}`;
  return new BellhopError(
    'unknown-command',
    `/${area} ${verb} is disabled. To use it, add ${extension} to “extensions” in bellhop.yaml.${next}`,
  );
}

const buttons: ReadonlySet<string> = new Set(['approve', 'deny', 'confirm', 'cancel', 'settle', 'continue']);

function unknownVerb(
  registry: Registry,
  entries: readonly Entry[],
  area: string,
  typed: readonly string[],
): BellhopError {
  const [verb = '', next = ''] = typed;
  if (area === 'bellhop' && buttons.has(verb.toLowerCase())) {
    const text = `There is no command “/bellhop ${verb}”. Use the button on the request's card, or under /bellhop requests.`;
    const guess = { typed: typed.join(' '), words: ['requests'] };
    return new BellhopError('unknown-command', text, { guess });
  }
  const removed = removedText(`${area}.${verb.toLowerCase()}`, `/${area} ${verb.toLowerCase()}`);
  if (removed !== undefined) return new BellhopError('unknown-command', removed);
  const verbs = entries.map((entry) => entry.verb);
  const meant = entries.find(({ operation }) => operation.synonyms?.includes(verb.toLowerCase()));
  const guess = meant?.verb ?? nearest(verb, verbs);
  const text = `Unknown command “/${area} ${abridged(verb)}”.`;
  const onTarget = commandsOn(registry, verb).filter((line) => line.startsWith(`/${area} `));
  if (guess !== undefined || onTarget.length > 0) {
    // The target may have been typed before the verb.
    const isSwapped = guess === undefined && verbs.includes(next.toLowerCase());
    const own = onTarget.map((line) => line.slice(`/${area} `.length));
    const words = guess === undefined ? (isSwapped ? [`${next} ${verb}`] : own) : [guess];
    return new BellhopError('unknown-command', text + guessText(words.map((word) => `/${area} ${word}`)), {
      guess: { typed: isSwapped ? `${verb} ${next}` : verb, words },
    });
  }
  const lines = elsewhere(registry, verb);
  return new BellhopError(
    'unknown-command',
    text + (guessText(lines) || ` Available: ${verbs.join(', ')}.`),
    { guess: { typed: `${area} ${verb}`, words: lines.map((line) => line.slice(1)) } },
  );
}

/** An area that was typed twice or after another one, or else commands of this name in other areas. */
function elsewhere({ areas, entries }: Registry, typed: string): readonly string[] {
  const word = typed.replace(/^\//u, '').toLowerCase();
  return areas.has(word) ? [`/${word}`] : entries.filter(({ verb }) => verb === word).map(typedName);
}

/** @throws BellhopError `bad-input` */
function readWords(
  registry: Registry,
  entry: Entry,
  words: readonly string[],
): EnteredCommand & { readonly kind: 'command' | 'form' } {
  const values: Record<string, unknown> = {};
  const { positionals, options, given } = readOptionWords(entry, words);
  for (const { field, typed } of given) give(field, typed, values);
  const named = targetField(entry);
  const left = options.each ? entry.fields.filter((field) => field !== named) : entry.fields;
  const surplus = options.each && named && `Use <${named.option}> or --each label=value, not both.`;
  placePositionals(registry, entry, left, positionals, values, surplus);
  refuseSecrets(entry.fields, values);
  if (surplus !== undefined && values[named?.name ?? ''] !== undefined) throw badInput(surplus);
  if (options.pause !== undefined && !options.each) throw badInput('--pause needs --each label=value.');
  const missing = left.some((field) => field.required && values[field.name] === undefined);
  if (missing && options.each)
    throw named ? badInput(`With --each, type the complete command: ${usage(entry)}.`) : noEach(entry);
  const formOnly = entry.operation.formOnly === true;
  return { kind: missing || formOnly ? 'form' : 'command', entry, values, options };
}

export const noEach = ({ area, verb }: Pick<Entry, 'area' | 'verb'>): BellhopError =>
  badInput(`/${area} ${verb} has no targets with labels, so it takes no --each. Remove it.`);

/** Sets a typed value. A list option may be repeated or hold several items; any other option may be given only once. */
function give(field: Field, typed: string, values: Record<string, unknown>): void {
  if (isList(field)) {
    const earlier: unknown = values[field.name];
    const items = itemsOf(field, typed).map((item) => fromText(field, item));
    values[field.name] = Array.isArray(earlier) ? earlier.concat(items) : items;
    return;
  }
  if (values[field.name] !== undefined) {
    throw badInput(`--${field.option} is given twice.`);
  }
  values[field.name] = fromText(field, typed);
}

/**
 * Converts one typed value, or one item of a list, to what the field's schema takes: text, a number or a flag. Invalid
 * and inexact numbers stay text, so that the schema's error names them.
 */
export function fromText(field: Field, typed: string): unknown {
  if (field.kind === 'flag') return typed === 'true';
  const number = exactNumber(typed);
  if (field.kind === 'integer' || field.kind === 'number') return number ?? typed;
  const other = number ?? (typed === 'true' || (typed === 'false' ? false : undefined));
  return other !== undefined && !field.accepts(typed) && field.accepts(other) ? other : typed;
}

function placePositionals(
  registry: Registry,
  entry: Entry,
  fields: readonly Field[],
  typed: readonly string[],
  values: Record<string, unknown>,
  surplus: string | undefined,
): void {
  const waiting = fields.filter((field) => field.positional && values[field.name] === undefined);
  const names = typed.flatMap((word) => word.split(/^(?:and|[&+])$|,/u)).filter((name) => name !== '');
  const labels = surplus === undefined ? labelsForTarget(registry, entry, typed) : undefined;
  if (labels) throw labels;
  const tooMany = surplus === undefined ? tooManyTargets(registry, entry, typed.join(' '), names) : undefined;
  // Names with commas between them are one word.
  if (tooMany && names.length > typed.length) throw tooMany;
  let next = 0;
  for (const word of typed) {
    const { target, required } = waiting[next] ?? {};
    // The only target of its kind need not be named, so the word may be the next argument.
    if (target !== undefined && !required && !Object.hasOwn(registry.targets(target), word)) next += 1;
    const field = waiting[next];
    if (!field) {
      throw surplus === undefined
        ? (tooMany ?? unexpected(registry, entry, word, values, typed))
        : badInput(surplus);
    }
    give(field, word, values);
    if (!isList(field)) next += 1;
  }
}

/** Names the option that takes the word if no argument does, or else what to type for several targets. */
function unexpected(
  registry: Registry,
  entry: Entry,
  word: string,
  values: Values,
  typed: readonly string[],
): BellhopError {
  const text = `Unexpected argument “${abridged(word)}”.`;
  const [bare = ''] = word.split(/[:=]/u, 1);
  const options = [
    ...entry.fields.map(({ option }) => option),
    ...offeredOptions(entry).map(([name]) => name),
  ];
  if ([...options, 'help'].includes(bare))
    return misspelt('bad-input', text, { typed: word, words: [`--${word.replace(/:$/u, '')}`] });
  const all = targetsFor(registry, entry);
  const inside = guessOf(typed.join(' '), Object.keys(all));
  const wanted = targetField(entry)?.label.toLowerCase();
  if (inside.words.length > 0 && !Object.hasOwn(all, typed[0] ?? ''))
    return misspelt('bad-input', `No ${wanted} is named “${abridged(inside.typed)}”.`, inside);
  const fields = entry.fields.some(({ positional }) => positional) ? [] : entry.fields;
  const meant = fields.findLast(
    ({ name, kind, accepts }) => kind !== 'flag' && values[name] === undefined && accepts(word),
  );
  if (meant && quoteWord(word) === word)
    return misspelt('bad-input', text, { typed: word, words: [`--${meant.option} ${word}`] });
  const named = targetField(entry);
  const several = ', or several with --each label=value. Put a reason after --reason';
  const hint = named
    ? ` Name one ${named.label.toLowerCase()}${entry.operation.risk === 'read' ? '' : several}.`
    : typed.length > 1
      ? ' Put quotes around words that belong together.'
      : '';
  return badInput(`${text}${hint} Usage: ${usage(entry)}.`);
}
