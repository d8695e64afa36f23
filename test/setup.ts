import * as fc from 'fast-check';
import { afterAll } from 'vitest';

import { removeTemporaryFolders } from './temporary-folder.ts';

/** `npm test` tries the same samples each time, so that it says the same thing twice; the long form tries new ones. */
if (process.env['FUZZ_RUNS'] === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261121 });

afterAll(removeTemporaryFolders);
