import * as fc from 'fast-check';
import { afterAll } from 'vitest';

import { removeTemporaryFolders } from './temporary-folder.ts';

/** `npm test` uses the same samples each time, so that its result is repeatable. The long form uses new samples. */
if (process.env['FUZZ_RUNS'] === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261121 });

afterAll(removeTemporaryFolders);
