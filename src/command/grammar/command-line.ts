import { BellhopError, misspelt } from '../../model/values/errors.ts';
import type { Registry } from '../../model/registry.ts';
import { guessOf, removedText } from '../../text/nearest.ts';
import { abridged, quotedOr } from '../../text/words.ts';
import { refuseHidden, refuseLongText } from './refuse.ts';
import { unquoteStart } from './words.ts';

export interface CommandLine {
  readonly area: string;
  readonly text: string;
}

const firstWord = /^(?<slash>\/?)(?<word>\S*)\s*(?<rest>.*)$/su;

/**
 * Reads a whole command that starts with its area, with or without a slash: `/cloud reboot web-1` or `cloud reboot
 * web-1`. The area may be omitted if only one area has the verb: `reboot web-1`. Empty text asks for help.
 * @throws BellhopError `unknown-command` with a suggestion, `bad-input` for invalid text
 */
export function readCommandLine(registry: Registry, line: string): CommandLine {
  refuseLongText(line);
  refuseHidden(line);
  const trimmed = unquoteStart(line.trim());
  const { slash = '', word: typed = '', rest = '' } = firstWord.exec(trimmed)?.groups ?? {};
  const word = typed.toLowerCase();
  if (word === '' || word === '?' || word.startsWith('-')) return { area: 'bellhop', text: trimmed };
  if (slash !== '' || registry.areas.has(word)) return { area: word, text: rest };
  const areas = areasOf(registry, word);
  const [area, ...others] = areas;
  if (area === undefined) throw unknown(registry, typed);
  if (others.length === 0) return { area, text: trimmed };
  const words = areas.map((one) => `${one} ${word}`);
  throw new BellhopError('unknown-command', `“${abridged(typed)}” could mean ${quotedOr(words)}.`, {
    guess: { typed, words },
  });
}

/** Returns the areas that have this operation or, failing that, the areas where the operation is off or was removed. */
function areasOf(registry: Registry, verb: string): readonly string[] {
  const offered = registry.entries.filter((entry) => entry.verb === verb).map(({ area }) => area);
  return offered.length > 0
    ? offered
    : [...registry.areas.keys()].filter(
        (area) => registry.findOff(`${area}.${verb}`) ?? removedText(`${area}.${verb}`),
      );
}

function unknown({ areas, entries }: Registry, typed: string): BellhopError {
  const word = typed.toLowerCase();
  const meant = entries.filter(({ operation }) => operation.synonyms?.includes(word));
  const guess =
    meant.length > 0
      ? { typed, words: meant.map(({ area, verb }) => `${area} ${verb}`) }
      : guessOf(typed, new Set([...areas.keys(), ...entries.map(({ verb }) => verb)]));
  const text = `Unknown command “${abridged(typed)}”.`;
  return misspelt('unknown-command', text, guess, ' Type “help” for all commands.');
}
