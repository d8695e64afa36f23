import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { badInput, BellhopError, ServiceError } from '../../model/values/errors.ts';
import type { SecretVariable } from '../../program/secret-variables.ts';
import { capitalized } from '../../text/words.ts';
import { note } from '../cli/command.ts';
import type { SetupSlack } from './slack.ts';

/** The variable of a secret, or an option. */
export type Name = OptionName | SecretVariable;
export type OptionName = (typeof optionNames)[number];
export const optionNames = [
  ...(['address', 'channel', 'me', 'group'] as const),
  ...(['service', 'project', 'region', 'instance'] as const),
] as const;

/** The answer as it is written, so far. Empty without one. */
export type Answers = (name: Name) => string;

export interface Question {
  readonly name: Name;
  /** Follows “Give”. */
  readonly what: string;
  readonly isOptional?: (answers: Answers) => boolean;
  /** Whether the earlier answers leave it open. */
  readonly when?: (answers: Answers) => boolean;
  /** Resolves to the answer as it is written. @throws BellhopError that explains a wrong answer */
  readonly check: (answer: string, answers: Answers, slack: SetupSlack) => string | Promise<string>;
  /** The first question to repeat if the service refuses. */
  readonly repeatFrom?: Name;
}

export const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Takes answers that were given beforehand, and asks for the others on the terminal, if there is one. There, a wrong
 * answer is explained, and its question repeated.
 * @throws BellhopError that explains a wrong answer, or names the option of a missing one
 */
export async function ask(
  questions: readonly Question[],
  given: Map<Name, string>,
  terminal: ReturnType<typeof openTerminal> | undefined,
  slack: SetupSlack,
): Promise<Answers> {
  const checked = new Map<Name, string>();
  const answers: Answers = (name) => checked.get(name) ?? given.get(name) ?? '';
  for (let at = 0; ; at += 1) {
    const question = questions[at];
    if (!question) return answers;
    const { name, what, repeatFrom = name } = question;
    if (question.when?.(answers) === false) continue;
    try {
      const isOption = optionNames.some((one) => one === name);
      const answer = given.get(name) ?? (await terminal?.read(capitalized(what), !isOption)) ?? '';
      if (answer === '' && question.isOptional?.(answers) !== true)
        throw badInput(`${isOption ? '--' : ''}${name} is missing. Give ${what}.`);
      checked.set(name, await question.check(answer, answers, slack));
    } catch (error) {
      if (!terminal || !(error instanceof BellhopError)) throw error;
      note(error.message);
      const first = error instanceof ServiceError ? repeatFrom : name;
      const from = questions.findIndex((one) => one.name === first);
      for (const again of questions.slice(from, at + 1)) {
        given.delete(again.name);
        checked.delete(again.name);
      }
      at = from - 1;
    }
  }
}

/** Reads lines without showing what is typed before a question, or in answer to a secret one. */
export function openTerminal() {
  let shows = false;
  const output = new Writable({
    write(chunk: Buffer, _, written) {
      if (shows) process.stderr.write(chunk);
      written();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  /** Leaves the terminal as it was. */
  const close = (): void => reader.off('close', leave).close();
  const leave = (): void => {
    close();
    note('\nNothing was written.');
    process.exit(130);
  };
  reader.on('line', () => {
    shows = false;
  });
  // Ctrl-C, and the end of the input, Ctrl-D.
  reader.on('SIGINT', leave).on('close', leave);
  return {
    async read(what: string, hides = false): Promise<string> {
      if (hides) process.stderr.write(`${what}, not shown: `);
      shows = !hides;
      reader.setPrompt(hides ? '' : `${what}: `);
      reader.prompt();
      const { value } = await lines.next();
      if (hides) note('');
      return String(value).trim();
    },
    close,
  };
}
