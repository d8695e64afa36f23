import type { Inventory } from '../model/rulebook/target.ts';
import type { Registry } from '../model/registry.ts';
import { badInput, BellhopError, rescue } from '../model/values/errors.ts';
import { correctedLines } from '../text/nearest.ts';
import { listed, quoteWord } from '../text/words.ts';
import type { CommandLine } from './grammar/command-line.ts';
import { format } from './grammar/format.ts';
import { parse } from './grammar/grammar.ts';
import { commandOptions, isOption, OpenQuoteError, splitWords } from './grammar/words.ts';
import { resolve } from './resolve.ts';
import { targetNamed } from './targets.ts';

/** A text that can be read in more ways than this is not clear enough for a guess. */
const most = 10;

/** An unquoted reason may leave a word that looks like a target. */
const isAboutWords: ReadonlySet<string> = new Set(['bad-input', 'unknown-target'] as const);

/**
 * Returns the error about a typed command. If quotes are missing, and there is one place for them that makes it a
 * command, the guess of the error is this command.
 */
export function hintAtQuotes(
  registry: Registry,
  inventory: Inventory,
  { area, text }: CommandLine,
  error: unknown,
): unknown {
  if (!(error instanceof BellhopError) || !isAboutWords.has(error.code)) return error;
  // Only a whole command with its reason in quotes is a better guess.
  const isGuessed = error.guess !== undefined && error.guess.words.length > 0;
  const read = (words: string) =>
    rescue(
      () => {
        const parsed = parse(registry, area, words);
        if (parsed.kind === 'command') resolve(parsed, inventory);
        return parsed;
      },
      (failure) => failure,
    );
  const typed = text.trim();
  const quoted =
    error instanceof OpenQuoteError ? closings(typed, error) : joinings(typed, inventory, isGuessed);
  const [first] = quoted;
  if (!first || quoted.length > most || !(read(typed) instanceof BellhopError)) return error;
  const readings = quoted.flatMap(({ text: words, hint }) => {
    const parsed = read(words);
    return parsed instanceof BellhopError || parsed.kind === 'help' ? [] : [{ ...parsed, hint }];
  });
  const complete = readings.filter(({ kind }) => kind === 'command');
  const [only, ...others] = complete.length > 0 || isGuessed ? complete : readings;
  if (others.length > 0) return error;
  if (only) {
    const words = [format(only.entry, only.values, only.options).slice(`/${area} `.length)];
    // Without a target, the last word may be one that is misspelt.
    const isOpen = only.kind === 'form' && error.code === 'unknown-target';
    const hint = isOpen && only.hint !== undefined ? `${error.message} ${only.hint}` : only.hint;
    return badInput(hint ?? error.message, { guess: { typed, words } });
  }
  const next = read(first.text);
  if (isGuessed || first.hint === undefined || !(next instanceof BellhopError) || !next.guess) return error;
  const words = correctedLines(first.text, next.guess);
  if (words.length === 0) return error;
  return badInput(`${first.hint}. ${next.message}`, { guess: { typed, words } });
}

interface Quoted {
  readonly text: string;
  readonly hint?: string;
}

/** Closes the quote at the end, before the last word, or before a word that looks like an option. */
function closings(text: string, { rest, closer }: OpenQuoteError): readonly Quoted[] {
  const start = text.length - rest.length;
  const within = [...rest.matchAll(/(?<!\s)\s+(?=[-−\p{Pd}]|\S+$)/gu)];
  return [...within.map(({ index }) => start + index), text.length].map((end) => ({
    text: text.slice(0, end) + closer + text.slice(end),
  }));
}

/**
 * Makes all words after an option its value, up to the next option. Each further result leaves the last word after one of
 * the options out of the value.
 */
function joinings(text: string, inventory: Inventory, onlyReasons: boolean): readonly Quoted[] {
  const words = rescue(() => splitWords(text)) ?? [];
  if (words[0] === 'can' && words.findIndex(isOption) > 2) return [asOneCommand(words)];
  const groups: string[][] = [[]];
  for (const word of words)
    if (isOption(word)) groups.push(word.split(/=(.+)/su, 2));
    else groups.at(-1)?.push(word);
  const isName = (word: string): boolean => targetNamed(word, inventory) !== undefined;
  const long = groups
    .slice(1)
    .filter(
      (group) => group.length > 2 && (isReason(group) || !(onlyReasons || group.slice(2).some(isName))),
    );
  return (long.length === 0 || long.length > most ? [] : [undefined, ...long]).map((shorter) => {
    const joined = new Map(long.map((group) => [group, join(group, group === shorter ? -1 : undefined)]));
    const quoted = [...joined.values()].flatMap((parts) => parts.slice(0, 2));
    return {
      text: lineOf(groups.flatMap((group) => joined.get(group) ?? group)),
      hint: `Put quotes around ${listed([...new Set(long.map(whatFollows))])}: ${lineOf(quoted)}`,
    };
  });
}

const join = ([option = '', ...words]: readonly string[], end: number | undefined): readonly string[] => [
  option,
  words.slice(0, end).join(' '),
  ...words.slice(end ?? words.length),
];

/** `/bellhop can` takes a command with options as one word. */
function asOneCommand(words: readonly string[]): Quoted {
  const begin = words[1]?.startsWith('@') ? 2 : 1;
  const command = quoteWord(lineOf(words.slice(begin)));
  return {
    text: `${lineOf(words.slice(0, begin))} ${command}`,
    hint: `Put quotes around the command: ${command}`,
  };
}

const lineOf = (words: readonly string[]): string => words.map(quoteWord).join(' ');

/** Whether the group begins with an option of the command itself, such as `--reason`. Any sentence may follow it. */
const isReason = ([option = '']: readonly string[]): boolean =>
  Object.hasOwn(commandOptions, option.replace(/^-+/u, ''));

const whatFollows = (group: readonly string[]): string =>
  isReason(group) ? 'the reason' : `the words after ${group[0]}`;
