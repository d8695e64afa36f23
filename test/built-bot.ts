import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'rolldown';

import { botPrograms, build } from '../scripts/build.ts';
import { builtPage } from './built-page.ts';

const root = join(import.meta.dirname, '..');

/** The sources of the bot's programs, by their names in `dist/`. */
export const programSources = {
  start: 'src/start.js',
  audit: 'src/app/cli/audit/main.ts',
  config: 'src/app/cli/config.ts',
  store: 'src/app/cli/store.ts',
};

/**
 * The path of a program of the bot. If the test run has built the bot, the path is that of the built program, which
 * starts with a fifth of the CPU. Otherwise, it is the path of the source.
 */
export function botProgram(name: keyof typeof programSources, tree = process.env['BUILT_BOT']): string {
  return tree === undefined ? join(root, programSources[name]) : join(tree, `dist/${name}.js`);
}

/** The folder of Node's compile cache: next to the built programs, so that it is removed with them. */
export const compileCache = (): string | undefined => {
  const tree = process.env['BUILT_BOT'];
  return tree === undefined ? process.env['NODE_COMPILE_CACHE'] : join(tree, 'node_modules/.cache/node');
};

/** Builds the bot once for a run of the tests. */
export async function setup(): Promise<() => void> {
  const { tree, remove } = await buildTree();
  process.env['BUILT_BOT'] = tree;
  return remove;
}

/**
 * Builds the bot, with the playground, in a folder of the checkout next to the files that it reads. Parts of packages
 * that are not bundled, such as programs of PostgreSQL and fonts, are found from there.
 */
export async function buildTree(plugins: readonly Plugin[] = []) {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const tree = mkdtempSync(join(cache, 'built-bot-'));
  const [page] = await Promise.all([builtPage(), build(join(tree, 'dist'), botPrograms, 'bundled', plugins)]);
  symlinkSync(page, join(tree, 'dist/page'));
  for (const file of ['package.json', 'manifest.json', 'examples/bellhop.example.yaml'])
    cpSync(join(root, file), join(tree, file));
  return { tree, remove: () => rmSync(tree, { recursive: true, force: true }) };
}
