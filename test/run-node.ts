import { execFile } from 'node:child_process';

import { botProgram, compileCache } from './built-bot.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const { PATH } = process.env;

/** Runs Node with these arguments in a folder, to its end. The environment is only `env`. Never rejects. */
export const runNode = (
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, env: { PATH, NODE_COMPILE_CACHE: compileCache(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

/** Runs a program of the bot, `npm run audit -- …`, as `runNode` does. */
export const runProgram = (
  program: Parameters<typeof botProgram>[0],
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd?: string,
): Promise<Ran> => runNode([botProgram(program), ...args], cwd, env);
