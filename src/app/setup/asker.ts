import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { capitalized } from '../../text/words.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';

export interface Question {
  /** The option or variable. */
  readonly name: string;
  /** Follows “Give”. */
  readonly what: string;
  /** The answer that was given beforehand. */
  readonly given?: string | undefined;
  readonly isSecret?: boolean;
  /** The answer may be empty. */
  readonly isOptional?: boolean;
}

export type Asker = ReturnType<typeof createAsker>;

export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Takes answers that were given beforehand and asks for the others on the terminal, if there is one. */
export function createAsker() {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const terminal = isTerminal ? openTerminal() : undefined;
  const read = async ({ what, isSecret = false }: Question): Promise<string> => {
    const line = await terminal?.read(`${capitalized(what)}${isSecret ? ', not shown' : ''}: `, isSecret);
    return line?.trim() ?? '';
  };
  return {
    isTerminal,
    /**
     * Resolves to what `check` makes of the answer. On a terminal, a wrong answer is explained, and the question repeated.
     * @throws BellhopError that explains a wrong answer, or names the option of a missing one
     */
    async answer<T>(question: Question, check: (answer: string) => T | Promise<T>): Promise<T> {
      let { given } = question;
      for (;;) {
        try {
          const answer = given?.trim() || (await read(question));
          if (answer === '' && !question.isOptional)
            throw badInput(`${question.name} is missing. Give ${question.what}.`);
          return await check(answer);
        } catch (error) {
          explain(error);
          given = undefined;
        }
      }
    },
    explain,
    /** Leaves the terminal as it was. */
    close: () => terminal?.close(),
  };

  /** @throws the error if there is no terminal to answer again */
  function explain(error: unknown): void {
    if (!isTerminal || !(error instanceof BellhopError)) throw error;
    note(error.message);
  }
}

/** Reads lines without showing what is typed before a question, or in answer to a secret one. */
function openTerminal() {
  let shows = false;
  const output = new Writable({
    write(chunk: Buffer, _, written) {
      if (shows) process.stderr.write(chunk);
      written();
    },
  });
  const lines: string[] = [];
  let waiting: ((line: string) => void) | undefined;
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const close = (): void => reader.off('close', leave).close();
  const leave = (): void => {
    close();
    note('\nNothing was written.');
    process.exit(130);
  };
  reader.on('line', (line) => {
    shows = false;
    if (waiting) waiting(line);
    else lines.push(line);
  });
  reader.on('SIGINT', leave);
  // The end of the input, Ctrl-D.
  reader.on('close', leave);
  return {
    async read(prompt: string, isSecret: boolean): Promise<string> {
      if (isSecret) process.stderr.write(prompt);
      shows = !isSecret;
      reader.setPrompt(isSecret ? '' : prompt);
      reader.prompt();
      const line =
        lines.shift() ??
        (await new Promise<string>((resolve) => {
          waiting = resolve;
        }));
      waiting = undefined;
      if (isSecret) note('');
      return line;
    },
    close,
  };
}
