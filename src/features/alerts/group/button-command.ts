import type { CommandLine } from '../../../command/grammar/command-line.ts';
import { quoteWord } from '../../../text/words.ts';

/** Matches `{target}` alone or after `=`, so that the target's name becomes one word. */
const placeholder = /(?<=^|[\s=])\{target\}(?=\s|$)/gu;

/** Whether the text is a slash command whose only placeholder is `{target}`. */
export const isButtonTemplate = (run: string): boolean =>
  /^\/[a-z][a-z0-9]*(?: [^\r\n]+)?$/u.test(run) && !/[{}]/u.test(run.replaceAll(placeholder, ''));

export function splitButtonCommand(run: string, target = ''): CommandLine {
  const [command = '', ...rest] = run.split(' ');
  return {
    area: command.slice(1),
    text: rest.join(' ').replaceAll(placeholder, () => quoteWord(target)),
  };
}
