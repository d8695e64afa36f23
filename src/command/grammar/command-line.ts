import { type BellhopError, CommandError } from '../../model/errors.ts';
import type { Registry } from '../../model/registry.ts';
import { didYouMean, removedText } from './nearest.ts';
import { abridged, refuseHidden, refuseLongText } from './words.ts';

/** A command as its slash command would have it. */
export interface CommandLine {
  readonly area: string;
  /** What stands after the area. */
  readonly text: string;
}

const firstWord = /^(?<slash>\/?)(?<word>\S*)\s*(?<rest>.*)$/su;

/**
 * Reads a whole command that begins with its area, with or without a slash, or, where only one area has it, with its verb:
 * `/cloud reboot web-1`, `cloud reboot web-1`, `reboot web-1`. Nothing at all asks for help.
 * @throws BellhopError `unknown-command` with the nearest right thing, `bad-input` for text that no command has
 */
export function readCommandLine(registry: Registry, line: string): CommandLine {
  refuseLongText(line);
  refuseHidden(line);
  const trimmed = line.trim();
  const { slash = '', word: typed = '', rest = '' } = firstWord.exec(trimmed)?.groups ?? {};
  const word = typed.toLowerCase();
  if (word === '' || word === '?' || word.startsWith('-')) return { area: 'bellhop', text: trimmed };
  if (slash !== '' || registry.areas.has(word)) return { area: word, text: rest };
  const areas = areasOf(registry, word);
  const [area, ...others] = areas;
  if (area === undefined) throw unknown(registry, typed);
  if (others.length === 0) return { area, text: trimmed };
  throw ambiguous(
    typed,
    areas.map((one) => `${one} ${word}`),
  );
}

/** Those with an operation of this name; where none is offered now, those where it is switched off or was removed. */
function areasOf(registry: Registry, verb: string): readonly string[] {
  const offered = registry.entries.filter((entry) => entry.verb === verb).map(({ area }) => area);
  return offered.length > 0
    ? offered
    : [...registry.areas.keys()].filter(
        (area) => registry.findOff(`${area}.${verb}`) ?? removedText(`${area}.${verb}`),
      );
}

const ambiguous = (typed: string, commands: readonly string[]): BellhopError =>
  new CommandError(
    'unknown-command',
    `“${abridged(typed)}” could be ${commands.map((command) => `“${command}”`).join(' or ')}.`,
  );

function unknown({ areas, entries }: Registry, typed: string): BellhopError {
  const word = typed.toLowerCase();
  const meant = entries.filter(({ operation }) => operation.synonyms?.includes(word));
  const guess =
    meant.length > 0
      ? ` Did you mean ${meant.map(({ area, verb }) => `“${area} ${verb}”`).join(' or ')}?`
      : didYouMean(typed, new Set([...areas.keys(), ...entries.map(({ verb }) => verb)]));
  const hint = guess === '' ? ' Write “help” for what you can do here.' : guess;
  return new CommandError('unknown-command', `There is no command “${abridged(typed)}”.${hint}`);
}
