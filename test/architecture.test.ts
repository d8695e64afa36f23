import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../src');

/** What each part may import beside itself. Programs and composition may import all. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  program: [],
  core: [],
  api: ['core'],
  store: ['core', 'program'],
  config: ['core'],
  operations: ['core', 'api'],
  slack: ['core', 'operations'],
  local: ['api/schemas', 'program'],
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => file.replaceAll('\\', '/'));

/** The files of ours that a file imports, types too, as paths below src. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/^\s*(?:import|export)\b[^;'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gmu);
  return [...found].map(([, from, lazily]) =>
    relative(src, resolve(src, dirname(file), from ?? lazily ?? '')).replaceAll('\\', '/'),
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
