import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** The folders with the pages of features, by the names of the features. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('src/features/*/page', { cwd: root }).map((folder) => [
      basename(dirname(folder)),
      join(root, folder),
    ]),
  );

/**
 * Makes one file of a page, which a browser opens without a server or a network: `index.html` with `main.ts`, all that
 * it imports, and `style.css`. Its security policy allows only that code. Modules of Node that are shared with programs
 * come from `node/`.
 */
export async function bundlePage(folder: string): Promise<string> {
  const forBrowsers = (name: string): string => join(folder, 'node', `${name}.ts`);
  const named = ['crypto', 'util'].filter((name) => existsSync(forBrowsers(name)));
  const bundle = await rolldown({
    cwd: root,
    platform: 'browser',
    input: join(folder, 'main.ts'),
    // The page's tsconfig extends a file that is missing while the image is built.
    tsconfig: false,
    resolve: { alias: Object.fromEntries(named.map((name) => [`node:${name}`, forBrowsers(name)])) },
    transform: { inject: { Buffer: [forBrowsers('buffer'), 'Buffer'] } },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  // In HTML, such an end tag ends the script.
  const code = output[0].code.replaceAll('</script', String.raw`<\/script`);
  const style = readFileSync(join(folder, 'style.css'), 'utf8');
  const policy = [
    "default-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `script-src 'sha256-${digestOf(code)}'`,
    `style-src 'sha256-${digestOf(style)}'`,
  ].join('; ');
  return readFileSync(join(folder, 'index.html'), 'utf8')
    .replace('<!-- policy -->', () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- code -->', () => `<script>${code}</script>`);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
