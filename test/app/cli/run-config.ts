import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { botProgram } from '../../built-bot.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `npm run config -- …` in a folder with these files, and waits for its end. */
export function runConfig(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [botProgram('config'), ...args],
      { cwd, env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}
