import { realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { deprecatedKeys } from '../../model/deprecated.ts';
import { withoutDeprecated } from '../../config/yaml/deprecated-keys.ts';
import { largestRulebook } from '../../config/rulebook/read-rulebook.ts';
import { giveToOwner, readSmallFile } from '../../program/files.ts';
import { command } from '../../program/run-program.ts';
import { oneFile, print, readValidRules, usualFile } from './command.ts';

export const upgrade = command({
  summary: 'write new names in place of deprecated ones into bellhop.yaml',
  help: `Usage: npm run config -- upgrade [file]
Rewrites bellhop.yaml (BELLHOP_CONFIG, or the given file), so that it has no deprecated keys. Comments stay. If it has none, no
byte changes. docs/deprecated.md lists what is deprecated.
Exit code: 0, or 1 if the file is invalid.`,
  options: {},
  words: oneFile('upgrade'),
  async run(_, [file = usualFile()]) {
    await readValidRules(file);
    print([upgradeFile(file) ? `${file} is upgraded.` : `${file} has nothing deprecated.`]);
    return 0;
  },
});

/** Returns whether the file has changed. @throws Error if it cannot be read or written */
export function upgradeFile(file: string, known = deprecatedKeys): boolean {
  const path = realpathSync(resolve(file));
  const read = readSmallFile(path, largestRulebook);
  if ('problem' in read) throw new Error(`${file} ${read.problem}.`);
  const before = Buffer.from(read.bytes).toString('utf8');
  const after = withoutDeprecated(before, known);
  if (after === before) return false;
  // A reload never sees half a file.
  const draft = `${path}.new`;
  writeFileSync(draft, after, { mode: statSync(path).mode, flag: 'wx' });
  giveToOwner(draft);
  renameSync(draft, path);
  return true;
}
