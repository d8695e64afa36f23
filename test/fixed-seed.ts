import * as fc from 'fast-check';

/** `npm test` tries the same samples each time, so that it says the same thing twice; the long form tries new ones. */
if (process.env['FUZZ_RUNS'] === undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261121 });
