import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { callProgram } from '../../call-program.ts';
import type { Ran } from '../../run-node.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Runs `npm run config -- …` in a folder with these files, and waits for its end. */
export function runConfig(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return callProgram('config', args, env, cwd);
}
