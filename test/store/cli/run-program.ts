import { execFile } from 'node:child_process';

import { botProgram } from '../../built-bot.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program as people do, and waits for its end. */
export const runProgram = (
  program: 'audit' | 'store',
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [botProgram(program), ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
