import { join } from 'node:path';

import { build } from '../../scripts/build.ts';

const bench = join(import.meta.dirname, '..');

/** The bot as production starts it: what is built, with the options of the Dockerfile. A path from `bench/`. */
export const production = {
  program: '../dist/start.js',
  nodeOptions: ['--max-semi-space-size=4'],
} as const;

/** Parts of the bot alone, built as it is. Paths from `bench/`. */
export const programs = { receiver: 'dist/receiver.js' } as const;

export async function buildBot(): Promise<void> {
  await build(join(bench, '../dist'));
  await build(join(bench, 'dist'), { receiver: 'bench/programs/receiver-alone.ts' });
}
