import { describe, expect, it } from 'vitest';

import { readServiceReason } from '../src/service/errors/service-failure.ts';
import { asCommandText } from '../playground/workspace/gestures/person-text.ts';
import { commandText } from '../src/slack/handle/command.ts';
import { growsFaster } from './growth.ts';
import { itemText, quoteWord, splitItems } from '../src/text/words.ts';
import { refusePastedSecrets, longestText } from '../src/command/grammar/refuse.ts';
import { splitWords } from '../src/command/grammar/words.ts';

const reasonOf = (text: string): unknown =>
  readServiceReason(
    { kind: 'answer', status: 502, headers: {}, body: Buffer.from(`<html>${text}`) },
    (said) => said,
  );

const looksForSecrets = (text: string): void => refusePastedSecrets({ holdsSecret: () => false }, text);

const tries = (work: (text: string) => unknown) => (text: string) => {
  try {
    work(text);
  } catch {
    // Rejected text has been read, too.
  }
};

const PLACE = { manifest: { name: 'Bellhop' }, conversations: { channels: () => [] } };

/** Beginnings of what a pattern looks for, over and over, so that it could look to the end from each of them. */
const cases: readonly (readonly [pattern: string, name: string, work: (text: string) => unknown])[] = [
  ['<@UA|', 'the text of a command', commandText],
  ['<#C', 'the text of a command', commandText],
  ['<https:', 'the text of a command', commandText],
  ['<mailto:a|', 'the text of a command', commandText],
  ['&amp;', 'the text of a command', commandText],
  ['-eyJ', 'what may hold a secret', looksForSecrets],
  ['-eyJabcdefghijk.', 'what may hold a secret', looksForSecrets],
  ['.eyJabcdefghijk', 'what may hold a secret', looksForSecrets],
  ['xoxb-', 'what may hold a secret', looksForSecrets],
  ['-----BEGIN A', 'what may hold a secret', looksForSecrets],
  [' ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'what may hold a secret', looksForSecrets],
  [' github_pat_a', 'what may hold a secret', looksForSecrets],
  ['bearer ', 'what may hold a secret', looksForSecrets],
  ['bearer                ', 'what may hold a secret', looksForSecrets],
  ['\\', 'items of a list', splitItems],
  ['\\', 'an item of a list', itemText],
  ['\\', 'a word to be quoted', (text) => quoteWord(`${text} `)],
  ['<title', 'an error page of the service', reasonOf],
  ['<title>', 'an error page of the service', reasonOf],
  [' ', 'an error page of the service', reasonOf],
  ['<@UA|', 'what a person types on the local page', (text) => asCommandText(PLACE, text, true)],
];

/** Only up to the longest that is read at all. */
const words: readonly (readonly [what: string, text: (filling: string) => string, pattern: string])[] = [
  ['backslashes in quotes', (filling) => `"${filling}x"`, '\\'],
  ['quotes', (filling) => filling, 'a"'],
  ['quotes after a long option', (filling) => `--${'a'.repeat(filling.length)}${filling}`, '"'],
  ['quotes after many dashes', (filling) => `${'-'.repeat(filling.length)}${filling}`, '"'],
  ['quotes after an option with a value', (filling) => `--${'a'.repeat(filling.length)}${filling}`, '="'],
  ['quotes behind backslashes', (filling) => `"${filling}`, '\\" '],
];

describe('text from outside takes time in proportion to its length', () => {
  it.each(cases)('%j over and over, as %s', (pattern, _, work) => {
    expect(growsFaster(pattern, tries(work))).toBe(false);
  });

  it.each(words)('%s, as words', (_, textOf, pattern) => {
    const work = tries((filling) => splitWords(textOf(filling)));
    expect(growsFaster(pattern, work, longestText / 2 - 10)).toBe(false);
  });
});
