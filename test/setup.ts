import module from 'node:module';

import * as fc from 'fast-check';
import { afterAll } from 'vitest';

import { removeTemporaryFolders } from './temporary-folder.ts';

/** `npm test` uses the same samples each time, so that its result is repeatable. The long form uses new samples. */
if (process.env['FUZZ_RUNS'] === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261121 });

/** As a program of the bot does, so that its workers start with what others have compiled. */
module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);

afterAll(removeTemporaryFolders);
