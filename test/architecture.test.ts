import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What each part may import beside itself. Programs and composition may import all. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/program': [],
  'src/core': [],
  'src/api': ['src/core'],
  'src/store': ['src/core', 'src/program'],
  'src/config': ['src/core'],
  'src/operations': ['src/core', 'src/api'],
  'src/slack': ['src/core', 'src/operations'],
  playground: ['src/api/schemas', 'src/program'],
};

const files = ['src', 'playground'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);

/** The files of ours that a file imports, types too, as paths from the root. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^\s*(?:import|export)\b[^;'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gmu);
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

  it('in no circle, types included', () => {
    expect(circles()).toEqual([]);
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
