import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { declarations } from '../../bellhop/declarations.ts';
import { makeFolder } from '../../program/files.ts';
import { readOptions, UsageError } from '../../program/run-program.ts';
import { type ConfigCommand, print } from './command.ts';

/** Type declarations of `import … from 'bellhop'`, for editors. */
export const types: ConfigCommand = {
  summary: 'write bellhop.d.ts, for editors of operations of your own',
  help: `Usage: npm run config -- types <folder>
Writes <folder>/bellhop.d.ts: the types of what files of operations import from 'bellhop', zod included. Nothing has to be installed
for it. docs/own-operations.md says how such a file is written.`,
  run(args) {
    const { positionals } = readOptions(args, {}, true);
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new UsageError('types takes one folder: that of your operations.');
    makeFolder(folder);
    const file = join(folder, 'bellhop.d.ts');
    writeFileSync(file, declarations());
    print([file]);
    return Promise.resolve(0);
  },
};
