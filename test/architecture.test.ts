import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

/** Folders with schemas of the service. */
const areaClients = ['cloud', 'cdn', 'storage'].map((area) => `src/areas/${area}/client`);

/** The parts that each part may import in addition to itself and `src/text`, which has only functions on text. Programs and composition may import all of src. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/text': [],
  'src/program': ['src/model'],
  'src/model': [],
  'src/http': ['src/model'],
  'src/command': ['src/model'],
  'src/policy': ['src/model', 'src/command'],
  'src/due': ['src/model'],
  'src/audit': ['src/model', 'src/program'],
  'src/request': ['src/model', 'src/command', 'src/policy', 'src/audit', 'src/due'],
  'src/run': ['src/model', 'src/command', 'src/policy', 'src/audit', 'src/request'],
  'src/service': ['src/model', 'src/http', 'src/command'],
  'src/store': ['src/model', 'src/audit', 'src/program'],
  'src/config': ['src/model', 'src/command', 'src/policy', 'src/program', 'src/bellhop', 'src/features'],
  'src/host': ['src/model', 'src/audit', 'src/program', 'src/service', 'src/slack', 'src/store'],
  'src/rollouts': [
    'src/host',
    'src/model',
    'src/audit',
    'src/command',
    'src/policy',
    'src/request',
    'src/slack',
  ],
  'src/features': [
    'src/rollouts',
    'src/host',
    'src/model',
    'src/http',
    'src/audit',
    'src/due',
    'src/program',
    'src/slack',
    'src/store',
    'src/command',
    'src/policy',
    'src/request',
    'src/run',
    'src/bellhop',
    // Makes pages in a checkout.
    'scripts',
    // The issuer of step-up.
    'playground/issuer',
    'playground/workspace',
  ],
  'src/bellhop': ['src/model', 'src/command'],
  'src/areas': ['src/host', 'src/service', 'src/bellhop', 'src/model', 'src/program'],
  'src/operations': ['src/areas', 'src/features', 'src/bellhop', 'src/model'],
  'src/slack': ['src/model', 'src/http', 'src/command', 'src/policy', 'src/request', 'src/run', 'src/due'],
  'playground/service': ['src/service/schemas', ...areaClients, 'src/program'],
  'playground/workspace': ['src/program'],
  'playground/database': [],
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
          .filter(
            (to) => ![part, 'src/text', ...(allowed[part] ?? [])].some((may) => to.startsWith(`${may}/`)),
          )
          .map((to) => `${file} → ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it.each(Object.keys(allowed))('%s may import nothing that it does not import', (part) => {
    const imported = files
      .filter((file) => file.startsWith(`${part}/`))
      .flatMap((file) => arrows.get(file) ?? []);
    const unused = (allowed[part] ?? []).filter((may) => !imported.some((to) => to.startsWith(`${may}/`)));
    expect(unused).toEqual([]);
  });

  it('from the playground to one place of the bot, and to features, which load it lazily', () => {
    const users = files.filter(
      (file) =>
        file.startsWith('src/') && (arrows.get(file) ?? []).some((to) => to.startsWith('playground/')),
    );
    expect(users.filter((file) => !file.startsWith('src/features/'))).toEqual(['src/app/playground.ts']);
    const eager = users.flatMap((file) =>
      [...textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '[^']*\/playground\/[^;]*/gmu)].map(
        ([line]) => line,
      ),
    );
    expect(eager).toEqual([]);
  });

  it('in no circle of files, types included', () => {
    expect(circles(arrows)).toEqual([]);
  });

  it('in no circle of folders of src, types included: arrows go down', () => {
    const folders = new Map<string, Set<string>>();
    for (const [file, targets] of arrows) {
      if (!file.startsWith('src/')) continue;
      const from = dirname(file);
      const known = folders.get(from) ?? new Set();
      folders.set(from, known);
      for (const to of targets) if (to.startsWith('src/') && dirname(to) !== from) known.add(dirname(to));
    }
    expect(folders.size).toBeGreaterThan(30);
    expect(circles(folders)).toEqual([]);
  });
});

const areaOf = (file: string) => /^src\/areas\/(\w+)\//u.exec(file)?.[1];

describe('an area of the service', () => {
  const areaFiles = files.filter((file) => /^src\/areas\/\w+\//u.test(file));
  const bellhop = 'src/bellhop/bellhop.ts';
  /** Imports of an area that a file beside bellhop.yaml cannot have. This list only shrinks. */
  const more = [
    { of: /^src\/areas\/\w+\/client\//u, to: /^src\/(?:service|text|model|program|host)\//u },
    { of: /^src\/areas\/\w+\/index\.ts$/u, to: /^src\/host\/area\.ts$/u },
  ];

  it('imports the module of operations and its own folder; only its client, with its HTTP, imports more', () => {
    expect(areaFiles.length).toBeGreaterThan(40);
    const wrong = areaFiles.flatMap((file) =>
      (arrows.get(file) ?? [])
        .filter((to) => to !== bellhop && areaOf(to) !== areaOf(file))
        .filter((to) => !more.some((one) => one.of.test(file) && one.to.test(to)))
        .map((to) => `${file} → ${to}`),
    );
    expect(wrong).toEqual([]);
    expect(
      areaFiles.filter((file) => !file.includes('/client/') && /from 'zod'/u.test(textOf(file))),
    ).toEqual([]);
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
    // `bellhop` is what Bellhop itself gives to your own operations.
    const bot = [...packagesOf('src')].filter((name) => name !== 'node' && name !== 'bellhop');
    expect(bot.filter((name) => !(name in dependencies))).toEqual([]);
    const playground = [...packagesOf('playground')];
    expect(playground).toEqual(expect.arrayContaining(['hono', 'preact', 'htm', 'chart.js', 'marked', 'ws']));
    expect(playground.filter((name) => name in dependencies && !bot.includes(name))).toEqual([]);
  });
});

/** One path for each circle in the graph. */
function circles(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const to of graph.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
