import type { Entry, Field } from '../../model/registry.ts';
import { itemText, quoteWord } from '../../text/words.ts';
import { type CommandOptions, commandOptions } from './words.ts';
import type { Values } from './grammar.ts';

/** Returns the command as text that parses back to the same command, for paging and for running the command again. */
export function format(entry: Entry, values: Values, options: CommandOptions = {}): string {
  const words = [
    entry.verb,
    ...entry.fields.flatMap((field) => formatted(field, values[field.name])),
    ...Object.entries(commandOptions).flatMap(([name, { member }]) =>
      [options[member] ?? []].flat().map((value) => optionWord(name, value)),
    ),
  ];
  return `/${entry.area} ${words.join(' ')}`;
}

function formatted(field: Field, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '' || field.kind === 'rows') return [];
  if (field.kind === 'flag')
    return value === field.fallback ? [] : [`--${field.option}${value === true ? '' : '=false'}`];
  const items = Array.isArray(value)
    ? value.map((item) => (field.itemsMayContainCommas ? String(item) : itemText(String(item))))
    : [textOf(value)];
  // A value that starts like an option must be given by name. If such a value is in a list, all values of the list are
  // given by name, to keep their order.
  const byName = !field.positional || items.some((item) => item.startsWith('-'));
  return items.map((item) => (byName ? optionWord(field.option, item) : quoteWord(item)));
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const optionWord = (name: string, value: string): string =>
  value.startsWith('-') ? `--${name}=${quoteWord(value)}` : `--${name} ${quoteWord(value)}`;
