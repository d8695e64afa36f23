import type { CommandLine } from '../../../command/grammar/command-line.ts';
import { parse } from '../../../command/grammar/grammar.ts';
import { hiddenCharacter } from '../../../command/grammar/refuse.ts';
import type { Registry } from '../../../model/registry.ts';
import { orUndefined, quoteWord } from '../../../text/words.ts';
import type { Alert } from './record.ts';

/** Matches a placeholder alone or after `=`, so that its value becomes one word. */
const placeholder = /(?<=^|[\s=])\{(target|(?:label|annotation)\.[^\s{}]{1,100})\}(?=\s|$)/gu;

/** Values by placeholder, such as `target` or `label.alertname`. */
export type ButtonValues = ReadonlyMap<string, string>;

export const placeholdersIn = (run: string): readonly string[] =>
  Array.from(run.matchAll(placeholder), ([, name = '']) => name);

/** Without their prefix. */
export const placeholderNames = (run: string, what: 'label' | 'annotation'): readonly string[] =>
  placeholdersIn(run).flatMap((name) => (name.startsWith(`${what}.`) ? [name.slice(what.length + 1)] : []));

export const isButtonTemplate = (run: string): boolean =>
  /^\/[a-z][a-z0-9]*(?: [^\r\n]+)?$/u.test(run) &&
  !/^\/\S+ +\{/u.test(run) &&
  !/[{}]/u.test(run.replaceAll(placeholder, ''));

export function splitButtonCommand(run: string, values: ButtonValues): CommandLine {
  const [command = '', ...rest] = run.split(' ');
  return {
    area: command.slice(1),
    text: rest.join(' ').replaceAll(placeholder, (_, name: string) => quoteWord(values.get(name) ?? '')),
  };
}

const longestValue = 200;
const mention = /<[@#!]|(?:^|[^\w])[@#][A-Z][A-Z0-9]{3,}/u;

function faultOf(value: string | undefined): string | undefined {
  if (value === undefined || value.trim() === '') return 'is missing';
  // A longer value was cut to this length when it arrived.
  if (value.length > longestValue || (value.length === longestValue && value.endsWith('…')))
    return 'is too long';
  if (/[\p{Cc}]/u.test(value) || hiddenCharacter.test(value)) return 'has invisible characters';
  return mention.test(value) ? 'has a mention' : undefined;
}

/**
 * Fills labels and annotations of an alert into the command, each as one argument. The values come from outside, so the
 * command must parse exactly as it would with plain words instead.
 */
export function filledCommand(
  registry: Registry,
  run: string,
  target: string | undefined,
  { labels, annotations = {} }: Pick<Alert, 'labels' | 'annotations'>,
): { readonly command: CommandLine } | { readonly fault: string } {
  const values = new Map(target === undefined ? [] : [['target', target]]);
  const foreign = placeholdersIn(run).filter((name) => name !== 'target');
  for (const name of foreign) {
    const [what = '', ...rest] = name.split('.');
    const given = what === 'label' ? labels : annotations;
    const key = rest.join('.');
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    const fault = faultOf(value);
    if (fault !== undefined) return { fault: `{${name}} ${fault}` };
    values.set(name, value ?? '');
  }
  const command = splitButtonCommand(run, values);
  if (foreign.length === 0 || isLiteral(registry, run, values, foreign)) return { command };
  return { fault: `{${foreign.join('}, {')}} would not be one argument as it is` };
}

function isLiteral(
  registry: Registry,
  run: string,
  values: ButtonValues,
  foreign: readonly string[],
): boolean {
  const plain = new Map(foreign.map((name, index) => [`plain${index}word`, values.get(name) ?? '']));
  const words = new Map([...values, ...foreign.map((name, index) => [name, `plain${index}word`] as const)]);
  const meant = meaningOf(registry, splitButtonCommand(run, words));
  const filled = meaningOf(registry, splitButtonCommand(run, values));
  const put = (text: string): string => plain.get(text) ?? text;
  return (
    meant !== undefined && JSON.stringify(textsOf(meant, put)) === JSON.stringify(textsOf(filled, String))
  );
}

const meaningOf = (registry: Registry, { area, text }: CommandLine): unknown =>
  orUndefined(() => {
    const parsed = parse(registry, area, text);
    return parsed.kind === 'command'
      ? [parsed.entry.operation.name, parsed.values, parsed.options]
      : undefined;
  });

/** The same value, with every text, number and flag as text. `put` replaces each text. */
function textsOf(value: unknown, put: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => textsOf(one, put));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, one]) => [key, textsOf(one, put)]);
  return put(String(value));
}
