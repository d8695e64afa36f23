import { join } from 'node:path';

import { build } from '../../scripts/build.ts';

/** The bot as production starts it: what is built, with the options of the Dockerfile. A path from `bench/`. */
export const production = {
  program: '../dist/start.js',
  nodeOptions: ['--max-semi-space-size=4'],
} as const;

export const buildBot = (): Promise<void> => build(join(import.meta.dirname, '../../dist'));
