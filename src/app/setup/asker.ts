import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import type { z } from 'zod';

import { badInput, BellhopError } from '../../model/values/errors.ts';
import { type SecretVariable, secretVariableNames } from '../../program/secret-variables.ts';
import { capitalized } from '../../text/words.ts';
import { note, parseAs } from '../cli/command.ts';
import type { SetupSlack } from './slack.ts';

type OptionName = 'address' | 'channel' | 'me' | 'group' | 'service' | 'project' | 'region' | 'instance';
export type Name = OptionName | SecretVariable;

/** As the answer will be in the files. Empty if there is none yet. */
export type Answers = (name: Name) => string;

interface Asked {
  readonly answers: Answers;
  readonly slack: SetupSlack;
}

export interface SetupQuestion {
  /** The object of “Give”, such as a noun with its article. */
  readonly what: string;
  readonly when?: (answers: Answers) => boolean;
  /**
   * Returns an answer that is accepted without the schema: "" if the question is optional. Undefined if every answer
   * must fit the schema.
   */
  readonly unread?: (answers: Answers) => string | undefined;
  /** The schema's messages follow the name of the question. If the output is text, it is written to the files. */
  readonly schema: z.ZodType;
  /**
   * May resolve to another answer, which is then written to the files.
   * @throws BellhopError that explains a wrong answer
   */
  readonly check?: (answer: string, asked: Asked) => Promise<string | void>;
  /** The first question to repeat if an earlier answer is wrong. */
  readonly repeatFrom?: (error: BellhopError) => Name | undefined;
}

/** In the order in which they are asked. */
export type Questions = Readonly<Record<Exclude<Name, 'DATABASE_URL'>, SetupQuestion>>;

export const holdsSecret = (name: string): boolean => secretVariableNames.some((secret) => secret === name);

export const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Asks only for the answers that were not given beforehand, on the terminal, if there is one. There, a wrong answer is explained, and its
 * question repeated. Answers that may still be right are offered again.
 * @throws BellhopError that explains a wrong answer, or names the option of a missing one
 */
export async function ask(
  questions: Questions,
  given: ReadonlyMap<string, string>,
  terminal: ReturnType<typeof openTerminal> | undefined,
  slack: SetupSlack,
): Promise<Answers> {
  const all = Object.entries(questions);
  const answered = new Map(given);
  const offered = new Map<string, string>();
  const answers: Answers = (name) => answered.get(name) ?? '';
  for (let at = 0; ; at += 1) {
    const [name, question] = all[at] ?? [];
    if (name === undefined || question === undefined) return answers;
    if (question.when?.(answers) === false) continue;
    const { what, unread, schema, check } = question;
    const isTyped = terminal && !answered.has(name);
    const typed = isTyped
      ? await terminal.read(capitalized(what), holdsSecret(name), offered.get(name))
      : (answered.get(name) ?? '');
    const option = isTyped ? 'Your answer' : `--${name}`;
    const called = holdsSecret(name) ? name : option;
    try {
      const free = unread?.(answers);
      if (typed === '' && free !== '') throw badInput(`${called} is missing. Give ${what}.`);
      const read: unknown = typed.toLowerCase() === free ? free : parseAs(called, schema, typed);
      const answer = typeof read === 'string' ? read : typed;
      answered.set(name, answer);
      answered.set(name, (await check?.(answer, { answers, slack })) ?? answer);
    } catch (error) {
      if (!terminal || !(error instanceof BellhopError)) throw error;
      note(error.message);
      const first = question.repeatFrom?.(error) ?? name;
      const from = all.findIndex(([one]) => one === first);
      for (const [again] of all.slice(from, at + 1)) {
        if (first !== name) offered.set(again, answered.get(again) ?? '');
        answered.delete(again);
      }
      at = from - 1;
    }
  }
}

/** Reads lines without showing what is typed before a question, or in answer to a secret question. */
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
    /** @param offered the answer if nothing is typed */
    async read(what: string, hides = false, offered = ''): Promise<string> {
      const kept = offered && (hides ? ' (empty for the last one)' : ` [${offered}]`);
      if (hides) process.stderr.write(`${what}, not shown${kept}: `);
      shows = !hides;
      reader.setPrompt(hides ? '' : `${what}${kept}: `);
      reader.prompt();
      const { value } = await lines.next();
      if (hides) note('');
      return String(value).trim() || offered;
    },
    close,
  };
}
