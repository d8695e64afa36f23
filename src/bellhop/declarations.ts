import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';

/**
 * `surface.d.ts` exists only in the sources. For the bundle, the build has already written the finished declarations.
 */
const surfaceFile = join(import.meta.dirname, 'surface.d.ts');

/** Returns `bellhop.d.ts`, the types that a file of operations imports, in one file without dependencies. */
export function declarations(): string {
  if (!existsSync(surfaceFile)) return readFileSync(builtFile(), 'utf8');
  const surface = readFileSync(surfaceFile, 'utf8').replaceAll(/^ *\/\/ oxlint.*\n/gmu, '');
  return [surface.replace("from 'zod'", `from '${zod}'`), ...zodModules()].join('\n');
}

/** The build writes `bellhop.d.ts` into the folder of the bundle, or the folder above. */
const builtFile = (): string =>
  [import.meta.dirname, dirname(import.meta.dirname)]
    .map((folder) => join(folder, 'bellhop.d.ts'))
    .find((file) => existsSync(file)) ?? 'bellhop.d.ts';

const zod = 'bellhop/zod';

/** Declares zod under zod's own module names, so that `bellhop.d.ts` works without an installed package. */
function zodModules(): readonly string[] {
  const root = dirname(createRequire(import.meta.url).resolve('zod/package.json'));
  const files = ['v4/core', 'v4/classic'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.d.ts') && file !== 'index.d.ts')
      .map((file) => `${folder}/${file}`),
  );
  return [
    `declare module '${zod}' {\n  import * as z from '${zod}/v4/classic/external';\n  export { z };\n}`,
    ...[...files, 'v4/core/index.d.ts'].map((file) => ambient(file, readFileSync(join(root, file), 'utf8'))),
    `declare module '${zod}/v4/core/registries' {\n  interface GlobalMeta {\n${fieldMeta}  }\n}`,
  ];
}

function ambient(file: string, text: string): string {
  const name = (path: string): string =>
    `${zod}/${posix.join(posix.dirname(file), path).replace(/\.js$/u, '')}`;
  const body = text
    .replaceAll(/^export \* as locales from .*$/gmu, '')
    .replaceAll(
      /(from |import\()"(\.[^"]+)"/gu,
      (_, before: string, path: string) => `${before}"${name(path)}"`,
    )
    .replaceAll(/^(export )?declare /gmu, '$1');
  const own = /\bURL\b/u.test(body) ? urlOfHost : '';
  return `declare module '${zod}/${file.replace(/\.d\.ts$/u, '')}' {\n${own}${body}}`;
}

/** zod uses this global type, which some editor settings lack. */
const urlOfHost =
  'type URL = typeof globalThis extends { URL: { prototype: infer U } } ? U : { readonly href: string };\n';

/** These members of a field's `.meta({ … })` are useful to your own operations. */
const fieldMeta = `    /** Typed without its name: \`/db terminate orders\`. */
    positional?: boolean | undefined;
    /** The field names the operation's target, of this kind in \`targets\` in bellhop.yaml. If the field is optional, an only target need not be named. */
    target?: string | undefined;
    /** The field's label in a form. */
    label?: string | undefined;
    /** Shown in usage and in an empty form field. */
    placeholder?: string | undefined;
    /** Takes a name, \`secret:orders-db\`, never the secret itself. */
    secret?: boolean | undefined;
    /** Several lines in a form. */
    multiline?: boolean | undefined;
    /** Other names that people type for the option. */
    aliases?: readonly string[] | undefined;
    /** For a list, words that stand for items, such as \`{ errors: ['4xx', '5xx'] }\`. */
    synonyms?: Readonly<Record<string, readonly string[]>> | undefined;
    /** The items of a list may contain commas: each option has one item, and so has each line in a form. */
    itemsMayContainCommas?: boolean | undefined;
`;
