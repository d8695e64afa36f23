import { quoteWord } from '../grammar/words.ts';

/** What a command of `runTypedCommand` is. */
export interface TypedCommand {
  readonly area: string;
  readonly text: string;
}

/** Stands by itself or behind `=`, so that a name put there is one word. */
const placeholder = /(?<=^|[\s=])\{target\}(?=\s|$)/gu;

/** Whether the text is a slash command whose only placeholder is `{target}`. */
export const isButtonTemplate = (run: string): boolean =>
  /^\/[a-z]+(?: [^\r\n]+)?$/u.test(run) && !/[{}]/u.test(run.replaceAll(placeholder, ''));

/** A button's command for one target. */
export function splitButtonCommand(run: string, target = ''): TypedCommand {
  const [command = '', ...rest] = run.split(' ');
  return {
    area: command.slice(1),
    text: rest.join(' ').replaceAll(placeholder, () => quoteWord(target)),
  };
}
