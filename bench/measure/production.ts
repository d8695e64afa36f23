import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { build } from '../../scripts/build.ts';

const bench = join(import.meta.dirname, '..');

const dockerfile = readFileSync(join(bench, '../Dockerfile'), 'utf8');
const [, ...started] = z.array(z.string()).parse(JSON.parse(/^CMD (.+)$/mu.exec(dockerfile)?.[1] ?? '[]'));

/** The bot as production starts it: the bundle, with the options of the Dockerfile. A path from `bench/`. */
export const production = { program: '../dist/start.js', nodeOptions: started.slice(0, -1) } as const;

/** Separate parts of the bot, built the same way. Paths from `bench/`. */
export const programs = { receiver: 'dist/receiver.js' } as const;

export async function buildBot(): Promise<void> {
  await build(join(bench, '../dist'));
  await build(join(bench, 'dist'), { receiver: 'bench/programs/receiver-alone.ts' });
}
