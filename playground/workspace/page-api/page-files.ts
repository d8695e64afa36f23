import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { Hono } from 'hono';
import { etag } from 'hono/etag';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const VENDORED_TYPES: Readonly<Record<string, string>> = {
  ...TYPES,
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
};

/** Files of node_modules that the page loads: path under `/vendor/` → package and file within it. */
const VENDORED: Readonly<Record<string, readonly [string, string]>> = {
  preact: ['preact', 'dist/preact.mjs'],
  'preact/hooks': ['preact', 'hooks/dist/hooks.mjs'],
  htm: ['htm', 'dist/htm.module.js'],
  'htm/preact': ['htm', 'preact/index.module.js'],
  'chart.js': ['chart.js', 'dist/chart.js'],
  marked: ['marked', 'lib/marked.esm.js'],
  'chunks/index.js': ['chart.js', 'dist/chunks/index.js'],
  '@kurkle/color': ['@kurkle/color', 'dist/color.esm.js'],
  'emoji-names.json': ['emojibase-data', 'en/shortcodes/iamcal.json'],
  'emoji.woff2': ['twemoji-colr-font', 'twemoji.woff2'],
};

/** Serves the page at `/` and the modules it needs under `/vendor/`, and nothing else on the disk. */
export function pageFiles(folder = join(import.meta.dirname, '../page')): Hono {
  const files = new Hono();
  files.use(etag());
  files.get('/vendor/*', async (c) => {
    const vendored = VENDORED[c.req.path.slice('/vendor/'.length)];
    if (vendored === undefined) return c.notFound();
    const [name, file] = vendored;
    const bytes = await readFile(join(packageFolder(name), file));
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': VENDORED_TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
    });
  });
  files.get('*', async (c) => {
    const path = normalize(join(folder, c.req.path === '/' ? 'index.html' : decodeURIComponent(c.req.path)));
    const type = TYPES[extname(path)];
    if (type === undefined || !path.startsWith(folder + sep)) return c.notFound();
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return c.notFound();
    const headers = { 'content-type': type, 'cache-control': 'no-cache' };
    return c.body(new Uint8Array(bytes), 200, {
      ...headers,
      ...(extname(path) === '.html'
        ? { 'content-security-policy': contentSecurityPolicy(bytes.toString('utf8')) }
        : {}),
    });
  });
  return files;
}

/** The folder of an installed package, wherever npm put it. */
function packageFolder(name: string): string {
  const file = findPackageJSON(name, import.meta.url);
  if (file === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  return dirname(file);
}

/** Allows scripts only from here, and the import map, which has to be inline and is allowed by its hash. */
export function contentSecurityPolicy(html: string): string {
  const maps = [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)];
  const hashes = maps.map(([, map = '']) => `'sha256-${createHash('sha256').update(map).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
