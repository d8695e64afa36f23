import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Runs Node with these arguments in a folder; `env` is all that it gets of settings. Never rejects. */
export const runNode = (
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, env: { PATH, NODE_COMPILE_CACHE, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
