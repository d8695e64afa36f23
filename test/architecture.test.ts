import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

/** What each part may import beside itself. Programs and composition may import all of src. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/program': [],
  'src/core': [],
  'src/api': ['src/core'],
  'src/store': ['src/core', 'src/program'],
  'src/config': ['src/core'],
  'src/schedules': ['src/core'],
  'src/operations': ['src/core', 'src/api'],
  'src/slack': ['src/core', 'src/operations'],
  'src/hooks': ['src/core', 'src/slack/receive'],
  playground: ['src/api/schemas', 'src/program'],
};

const files = ['src', 'playground'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The files of ours that a file imports, types too, as paths from the root. */
function importsOf(file: string): readonly string[] {
  const found = textOf(file).matchAll(
    /^\s*(?:import|export)\b[^;'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gmu,
  );
  return [...found].map(([, from, lazily]) =>
    relative(root, resolve(root, dirname(file), from ?? lazily ?? '')).replaceAll('\\', '/'),
  );
}

const arrows = new Map(files.map((file) => [file, importsOf(file)]));

describe('imports point one way', () => {
  it.each(Object.keys(allowed))('%s imports only what it may', (part) => {
    const wrong = files
      .filter((file) => file.startsWith(`${part}/`))
      .flatMap((file) =>
        (arrows.get(file) ?? [])
          .filter((to) => ![part, ...(allowed[part] ?? [])].some((may) => to.startsWith(`${may}/`)))
          .map((to) => `${file} → ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it('from the playground to one place of the bot, which loads it lazily', () => {
    const users = files.filter(
      (file) =>
        file.startsWith('src/') && (arrows.get(file) ?? []).some((to) => to.startsWith('playground/')),
    );
    expect(users).toEqual(['src/app/playground.ts']);
    const eager = users.flatMap((file) =>
      [...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '[^']*\/playground\/[^;]*/gmu)].map(
        ([line]) => line,
      ),
    );
    expect(eager).toEqual([]);
  });

  it('in no circle, types included', () => {
    expect(circles()).toEqual([]);
  });
});

describe('production installs', () => {
  const packagesOf = (folder: string): ReadonlySet<string> => {
    const texts = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[jt]s$/u.test(file))
      .map((file) => textOf(join(folder, file)));
    const imports = texts.join('\n').matchAll(/\b(?:from |import\()'((?:@[\w-]+\/)?[a-z][\w.-]*)/gu);
    return new Set([...imports].map(([, name = '']) => name));
  };
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(textOf('package.json')));

  it('every package that the bot imports, and none that only the playground does', () => {
    const bot = [...packagesOf('src')].filter((name) => name !== 'node');
    expect(bot.filter((name) => !(name in dependencies))).toEqual([]);
    const playground = [...packagesOf('playground')];
    expect(playground).toEqual(expect.arrayContaining(['hono', 'preact', 'htm', 'chart.js', 'marked', 'ws']));
    expect(playground.filter((name) => name in dependencies && !bot.includes(name))).toEqual([]);
  });
});

/** One path for each circle that a walk finds. */
function circles(): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const to of arrows.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return found;
}
