import { badInput, BellhopError, misspelt } from '../../model/values/errors.ts';
import type { Entry, Field } from '../../model/registry.ts';
import { nearest, removedText } from '../../text/nearest.ts';
import { exactNumber } from '../../text/exact.ts';
import { abridged, dashes, quoteWord, shortDuration, splitItems } from '../../text/words.ts';
import { refuseHidden, refuseLongText } from './refuse.ts';

/** The quotes that open a group, each with the quotes that close it, as keyboards and chat clients pair them. */
const pairs = `"“”„‟ "“”  '‘’‚‛ '‘’  « »  » «»  ‹ ›  › ‹›  「 」  『 』  《 》  〈 〉  〝 〞〟  ＂ ＂  ＇ ＇  ″ ″  ´ ´\`'’  \` \``;
const closing: ReadonlyMap<string, string> = new Map(
  pairs.split('  ').flatMap((pair) => {
    const [opening = '', closers = ''] = pair.split(' ');
    return Array.from(opening, (quote) => [quote, closers] as const);
  }),
);

/** A quote that is never closed. */
export class OpenQuoteError extends BellhopError {
  /** The end of the typed text, from this quote on. */
  readonly rest: string;
  readonly closer: string;

  constructor(rest: string, closer: string) {
    const quoted = abridged(rest.slice(1), 19);
    super(
      'bad-input',
      `The quote before “${quoted}” is never closed. Add the closing quote after the last word.`,
    );
    this.rest = rest;
    this.closer = closer;
  }
}

/** The text without the quotes around its first words, because people copy a whole command with its backticks. */
export function unquoteStart(text: string): string {
  const group = readGroup(text);
  return group ? group.word.trim() + text.slice(group.length) : text;
}

/**
 * Splits typed text into words. Straight and smart quotes and backticks group words. A dash that autocorrect made of
 * `--` is restored. A quote inside a word is a letter, as in `don't`. Inside a group, a quote before white space closes
 * the group, unless a backslash precedes the quote.
 * @throws BellhopError `bad-input` for hidden characters, unclosed quotes and text that is too long
 */
export function splitWords(text: string): readonly string[] {
  refuseLongText(text);
  refuseHidden(text);
  const words: string[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const { word, length } = readWord(rest);
    words.push(word);
    rest = rest.slice(length).trimStart();
  }
  return words;
}

interface ReadWord {
  readonly word: string;
  /** The length of the word as typed, with its quotes. */
  readonly length: number;
}

/** The text up to the next white space. A quote opens a group at the start or right after the `=` of an option. */
function readWord(text: string): ReadWord {
  const [name = ''] = optionName.exec(text) ?? [];
  const group = readGroup(text.slice(name.length));
  if (group) return { word: undash(name) + group.word, length: name.length + group.length };
  const [word = ''] = /^\S+/u.exec(text) ?? [];
  return { word: undash(word), length: word.length };
}

/** The group that begins the text. It ends with a closing quote before white space, after an even number of backslashes. */
function readGroup(text: string): ReadWord | undefined {
  const opening = text.charAt(0);
  const closers = closing.get(opening);
  if (closers === undefined) return undefined;
  const end = new RegExp(String.raw`(?<!\\)(?:\\\\)*[${closers}](?=\s|$)`, 'gu');
  end.lastIndex = 1;
  if (!end.test(text)) throw new OpenQuoteError(text, closers.charAt(0));
  const group = unescaped(text.slice(1, end.lastIndex - 1), closers);
  // In French, spaces separate the text from its quotes.
  return { word: '«‹'.includes(opening) ? group.trim() : group, length: end.lastIndex };
}

/** Backslashes escape only quotes, so `C:\new` is unchanged. */
const unescaped = (group: string, closers: string): string =>
  group.replaceAll(new RegExp(`(?<!\\\\)(\\\\+)(?=[${closers}]|$)`, 'gu'), (run: string) =>
    run.slice(Math.ceil(run.length / 2)),
  );

const optionName = new RegExp(`^[-${dashes}]+[a-z][a-z\\d-]*=`, 'iu');
const madeDashes = new RegExp(`^-?[${dashes}][-${dashes}]?(?=[a-z])`, 'iu');

/** Phones and chat clients turn `--reason` into `—reason`, and documents into `‑‑reason`. */
const undash = (word: string): string => word.replace(madeDashes, '--');

export function itemsOf(
  { itemsMayContainCommas, synonyms }: Pick<Field, 'itemsMayContainCommas' | 'synonyms'>,
  typed: string,
): readonly string[] {
  if (itemsMayContainCommas) return [typed.trim()].filter((item) => item !== '');
  return splitItems(typed).flatMap((item) => synonyms.get(item.toLowerCase()) ?? [item]);
}

/** Options that belong to the command, not to the operation's input. */
export interface CommandOptions {
  readonly reason?: string | undefined;
  readonly breakGlass?: string | undefined;
  /** The labels that a target must have, each as `label=value`. The command runs on these targets one after another. */
  readonly each?: readonly string[] | undefined;
  /** How long each target has to be healthy before the next target, such as `2m`. */
  readonly pause?: string | undefined;
}

export interface OptionTokens {
  readonly positionals: readonly string[];
  readonly options: CommandOptions;
  /** Options in the order typed. A list field may appear more than once. */
  readonly given: readonly { readonly field: Field; readonly typed: string }[];
}

/** The options of every change, as typed. Reads have none of them. */
export const commandOptions = {
  reason: {
    member: 'reason',
    placeholder: 'disk errors',
    help: 'Reason, shown on the card and kept in the audit log. Optional.',
  },
  'break-glass': {
    member: 'breakGlass',
    placeholder: 'site down',
    help: "Skip the approval, if a rule allows it. Say why it can't wait. Optional.",
  },
  each: {
    member: 'each',
    placeholder: 'tier=web',
    help: 'label=value: every target with this label, one at a time. Repeat it to require several labels.',
  },
  pause: {
    member: 'pause',
    placeholder: '2m',
    help: 'With --each: how long each target must stay healthy before the next one starts, 0s to 1h. Default: 30s.',
  },
} as const satisfies Record<
  string,
  Record<'placeholder' | 'help', string> & { member: keyof CommandOptions }
>;

/** The command's options that make sense with an operation. @param maySkip whether any rule lets its approval be skipped */
export const offeredOptions = (entry: Entry, maySkip = true) =>
  (entry.operation.risk === 'read' ? [] : Object.entries(commandOptions)).filter(([, { member }]) =>
    member === 'breakGlass' ? maySkip : member === 'reason' || rolls(entry),
  );

/**
 * Whether the command takes `--each`. Bellhop has to see that each target is healthy again before the next one starts.
 */
export const rolls = ({ fields, operation: { watch, tasks } }: Entry): boolean =>
  fields.some(({ target }) => target !== undefined) && (watch !== undefined || tasks?.read !== undefined);

type Meant = Field | (typeof commandOptions)[keyof typeof commandOptions];

/** @throws BellhopError `bad-input` for an option that is unknown, repeated, or without its value */
export function readOptionWords(entry: Entry, words: readonly string[]): OptionTokens {
  const known = new Map<string, Meant>(entry.operation.risk === 'read' ? [] : Object.entries(commandOptions));
  for (const field of entry.fields)
    if (field.kind !== 'rows') for (const name of [field.option, ...field.aliases]) known.set(name, field);

  const positionals: string[] = [];
  const options: { reason?: string; breakGlass?: string; each?: string[]; pause?: string } = {};
  const given: { field: Field; typed: string }[] = [];
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (at === end) continue;
    if (at > end || !isOption(word)) {
      const said = saidDuration(known, word, words[at + 1]);
      const named = said ?? namedValue(known, word);
      if (named) given.push(named);
      else positionals.push(word);
      if (said) at += 1;
      continue;
    }
    const [, name = '', inline] = /^--([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
    const meant = known.get(name);
    if (!meant) throw unknownOption(entry, word.replace(/=.*$/su, ''), [...known.keys()]);
    if (isField(meant) && meant.kind === 'flag') {
      given.push({ field: meant, typed: flagValue(`--${name}`, inline, words[at + 1]) });
      continue;
    }
    const value = optionValue(`--${name}`, meant, inline, words[at + 1]);
    if (inline === undefined) at += 1;
    refuseSplitDuration(`--${name}`, meant, value, words[at + 1]);
    if (isField(meant)) given.push({ field: meant, typed: value });
    else if (meant.member === 'each') options.each = [...(options.each ?? []), value];
    else if (options[meant.member] === undefined) options[meant.member] = value;
    else throw badInput(`--${name} is given twice.`);
  }
  return { positionals, options, given };
}

/** Whether a word starts with a dash and is not a number. */
export const isOption = (word: string): boolean => /^-./su.test(word) && exactNumber(word) === undefined;

const isField = (meant: Meant): meant is Field => 'kind' in meant;

/** @throws BellhopError `bad-input` for `--last 5 minutes` */
function refuseSplitDuration(name: string, meant: Meant, value: string, next = ''): void {
  const accepts = isField(meant)
    ? meant.accepts
    : (text: string) => meant.member === 'pause' && text !== value;
  const duration = shortDuration(`${value} ${next}`);
  if (/^\d+$/u.test(value) && duration !== undefined && !accepts(value) && accepts(duration))
    throw misspelt('bad-input', `${name} takes a duration without a space.`, {
      typed: `${value} ${next}`,
      words: [duration],
    });
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

/** A flag has no separate value, so the `false` of `--force false` would be another argument. @throws BellhopError `bad-input` */
function flagValue(name: string, inline: string | undefined, next = ''): string {
  if (inline !== undefined && inline !== 'true' && inline !== 'false')
    throw badInput(`Use ${name} without a value, or write ${name}=true or ${name}=false.`);
  const meant = Object.hasOwn(booleans, next.toLowerCase()) ? booleans[next.toLowerCase()] : undefined;
  if (inline !== undefined || meant === undefined) return inline ?? 'true';
  throw badInput(
    `${name} takes its value after “=”: write ${name}=${meant}. If “${abridged(next)}” is another argument, put it before ${name}.`,
  );
}

/** Reads an input such as `last=2h`. Options of the command need dashes, because their values may be any sentence. */
function namedValue(known: ReadonlyMap<string, Meant>, word: string) {
  const [, name = '', typed = ''] = /^([a-z][a-z\d-]*)=(.+)$/su.exec(word) ?? [];
  const field = known.get(name);
  if (!field || !isField(field) || (field.kind === 'flag' && !/^(?:true|false)$/u.test(typed)))
    return undefined;
  return { field, typed };
}

/** Reads a duration that is typed as people say it, such as `for 2h`. */
function saidDuration(known: ReadonlyMap<string, Meant>, word: string, next = '') {
  const field = known.get(word);
  if (!field || !isField(field) || shortDuration(next) === undefined || !field.accepts(next))
    return undefined;
  return { field, typed: next };
}

function optionValue(name: string, { placeholder }: Meant, inline: string | undefined, next = ''): string {
  const value = inline ?? next;
  const example = placeholder === undefined ? '' : `, such as ${name} ${quoteWord(placeholder)}`;
  if (value === '') throw badInput(`${name} needs a value${example}.`);
  if (inline !== undefined || !value.startsWith('--')) return value;
  throw badInput(
    `${name} needs a value, but “${abridged(value)}” looks like the next option. ` +
      `If it is the value, write ${name}="…".`,
  );
}

function unknownOption(entry: Entry, rawName: string, known: readonly string[]): BellhopError {
  const removed = removedText(rawName);
  if (removed !== undefined) return badInput(removed);
  const name = rawName.replace(/^-+/u, '');
  const guess = nearest(name, known);
  if (guess !== name && Object.hasOwn(commandOptions, name))
    return badInput(`/${entry.area} ${entry.verb} is read-only. Remove --${name}.`);
  const text = `/${entry.area} ${entry.verb} has no option “${abridged(rawName)}”.`;
  const likely = guess === undefined ? known.filter((option) => option.startsWith(name)) : [guess];
  const words = likely.slice(0, 3).map((option) => `--${option}`);
  return misspelt('bad-input', text, { typed: rawName, words }, optionsText(entry));
}

function optionsText(entry: Entry): string {
  const own = entry.fields.filter((field) => !field.positional && field.kind !== 'rows');
  const names = [...own.map((field) => field.option), ...offeredOptions(entry).map(([name]) => name)];
  return names.length === 0 ? '' : ` Options: ${names.map((name) => `--${name}`).join(', ')}.`;
}
