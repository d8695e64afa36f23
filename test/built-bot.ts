import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from '../scripts/build.ts';

const root = join(import.meta.dirname, '..');

/** What the programs of the bot are made of, by their names in `dist/`. */
const sources = {
  start: 'src/start.js',
  audit: 'src/app/cli/audit/main.ts',
  config: 'src/app/cli/config.ts',
  store: 'src/app/cli/store.ts',
};

/**
 * The path of a program of the bot: as production runs it where the run of the tests has built it, which starts with a
 * fifth of the CPU, else of the source.
 */
export function botProgram(name: keyof typeof sources): string {
  const tree = process.env['BUILT_BOT'];
  return tree === undefined ? join(root, sources[name]) : join(tree, `dist/${name}.js`);
}

/** Builds the bot once for a run of the tests, in a folder of its own beside what it reads. The playground stays a source. */
export async function setup(): Promise<() => void> {
  const tree = mkdtempSync(join(tmpdir(), 'bellhop-built-bot-'));
  await build(join(tree, 'dist'));
  for (const file of ['package.json', 'manifest.json', 'bellhop.example.yaml'])
    cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, 'playground'), join(tree, 'playground'));
  process.env['BUILT_BOT'] = tree;
  return () => rmSync(tree, { recursive: true, force: true });
}
