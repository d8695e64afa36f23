import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { operations } from '../src/operations/index.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages that people read, relative to the repository. */
const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'playground/**/*.md'], { cwd: root });

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

const withoutFences = (page: string): string => page.replaceAll(/^ *```[^]*?^ *```$/gmu, '');

/** The anchor of a heading: GitHub's rule, numbered where two headings are alike. */
function anchorsIn(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(page).matchAll(/^#{1,6} +(.+)$/gmu)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1');
    const slug = plain
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of links and pictures that stay inside the repository. */
function linksIn(page: string): readonly string[] {
  const text = withoutFences(page).replaceAll(/`[^`\n]*`/gu, '');
  return [...text.matchAll(/(?:\]\(<?|src=")([^)\s>"]+)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/iu.test(target));
}

/** The reason why a link is broken; undefined if it is not. */
function brokenLink(page: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), decodeURIComponent(file));
  if (relative(root, join(root, target)).startsWith('..')) return `${link} leaves the repository`;
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return anchorsIn(read(target)).has(anchor) ? undefined : `${link}: ${target} has no heading of that name`;
}

/** The scripts that a page tells people to run. */
const scriptsNamedIn = (page: string): readonly string[] => [
  ...[...page.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/gu)].map(([, name = '']) => name),
  ...[...page.matchAll(/\bnpm (start|test)\b/gu)].map(([, name = '']) => name),
];

/** The files and folders of ours that a page names. */
const pathsNamedIn = (page: string): readonly string[] =>
  [
    ...page.matchAll(
      /`(?!bench\/node_modules)((?:src|playground|test|bench|scripts|deploy|docs)\/[\w./-]*)`/gu,
    ),
  ].map(([, path = '']) => path);

describe.each(pages)('%s', (page) => {
  it('has each section once', () => {
    const sections = [...withoutFences(read(page)).matchAll(/^## +(.+)$/gmu)].map(([, title]) => title);
    expect(sections.filter((title, index) => sections.indexOf(title) !== index)).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    expect(linksIn(read(page)).flatMap((link) => brokenLink(page, link) ?? [])).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    expect(scriptsNamedIn(read(page)).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    expect(pathsNamedIn(read(page)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the reader of documents reads which files and folders a page names', () => {
  expect(pathsNamedIn('See `src/main.ts`, `docs/` and `npm start`.')).toEqual(['src/main.ts', 'docs/']);
  expect(pathsNamedIn(read('docs/architecture.md')).length).toBeGreaterThan(30);
});

/** The names of the files in the folder and in the folders under it: a room's README may name all of them. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file));

const roomsIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
const rooms = roomsIn('src');

it.each([...rooms, ...roomsIn('src/features'), 'playground'])('%s says what belongs in it', (folder) => {
  const page = read(`${folder}/README.md`);
  expect(page).toMatch(new RegExp(`^# ${folder}\n\n.+`, 'u'));
  const named = [...page.matchAll(/`([\w./-]+\.[jt]s)`/gu)].map(([, name = '']) => name);
  const isThere = (name: string): boolean =>
    existsSync(join(root, name)) || existsSync(join(root, folder, name)) || filesOf(folder).includes(name);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

it('src/README.md leads to each folder', () => {
  const links = new Set(linksIn(read('src/README.md')));
  expect(rooms.filter((room) => !links.has(`${basename(room)}/README.md`))).toEqual([]);
});

/** The files and folders that a line names. A file without a folder is in the folder of the file before it. */
function namedIn(line: string): readonly { readonly path: string; readonly members: readonly string[] }[] {
  let folder = '';
  return [...line.matchAll(/(?:((?:`\w+`,? )+)in )?`([\w./-]+(?:\/|\.[jt]s))`/gu)].map(
    ([, members = '', name = '']) => {
      const path = name.includes('/') ? name : join(folder, name);
      folder = path.endsWith('/') ? path : dirname(path);
      return { path, members: [...members.matchAll(/\w+/gu)].map(([member]) => member) };
    },
  );
}

const missingIn = (line: string): readonly string[] =>
  namedIn(line).flatMap(({ path, members }) =>
    existsSync(join(root, path))
      ? members.flatMap((member) =>
          new RegExp(`\\b${member}\\b`, 'u').test(read(path)) ? [] : [`${path} has no ${member}: ${line}`],
        )
      : [`there is no ${path}: ${line}`],
  );

const architecture = read('docs/architecture.md');

it('the architecture names only files that stand in the folder named before them, and what is in them', () => {
  expect(architecture.split('\n').flatMap(missingIn)).toEqual([]);
});

it.each([
  ['a file', '`src/due/queue.ts`, `nowhere.ts`', 'there is no src/due/nowhere.ts'],
  [
    'a member of a file',
    '`createDueQueue`, `nothing` in `src/due/queue.ts`',
    'src/due/queue.ts has no nothing',
  ],
])('the reader of the architecture notices %s that does not exist', (_, line, mistake) => {
  expect(missingIn(line)).toEqual([`${mistake}: ${line}`]);
});

/** The file of a command needs no row, because its name is the command's. */
const byName = '`src/areas/<area>/<command>.ts`';

/** The files of `src` for which “Where to look” has no row, each with a line that says what to write. */
function withoutRow(page: string): readonly string[] {
  const [, section = ''] = /^## Where to look\n([^]*?)^## /mu.exec(page) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('- **'));
  const found = new Set(rows.flatMap(namedIn).map(({ path }) => path));
  if (rows.some((row) => row.includes(byName)))
    for (const { name } of operations)
      found.add(
        `src/${name
          .replace(/^bellhop\./u, 'operations.self.')
          .replace(/^(?!operations\.)/u, 'areas.')
          .replaceAll('.', '/')}.ts`,
      );
  return globSync('src/**/*.{js,ts}', { cwd: root })
    .filter((file) => !found.has(file))
    .map(
      (file) => `${file}: add to docs/architecture.md what people report if it fails: - **…**: \`${file}\``,
    );
}

it('“Where to look” leads to each file of src', () => {
  expect(withoutRow(architecture)).toEqual([]);
});

it.each([
  ['src/due/queue.ts', architecture.replaceAll('`src/due/queue.ts`', '')],
  ['src/areas/cloud/list.ts', architecture.replaceAll(byName, '')],
])('“Where to look” notices that %s has no row, and says what to write', (file, page) => {
  expect(withoutRow(page)).toContain(
    `${file}: add to docs/architecture.md what people report if it fails: - **…**: \`${file}\``,
  );
});

it('the README keeps to a page of 150 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

it('the README shows the rules of the file that people copy', () => {
  const [, shown = ''] = /```yaml\n([^]*?)```/u.exec(read('README.md')) ?? [];
  const rules = z.object({ rules: z.array(z.unknown()).min(3) });
  expect(rules.parse(parse(shown))).toEqual(rules.parse(parse(read('examples/bellhop.minimal.yaml'))));
});

it('the reader of documents reads the page that people see first, and more than that one', () => {
  expect(pages).toContain('README.md');
  expect(pages.length).toBeGreaterThan(5);
});

it.each([
  ['a file that is missing', '[x](docs/nowhere.md)'],
  ['a heading that is missing', '[x](CONTRIBUTING.md#nowhere)'],
  ['a heading of its own that is missing', '[x](#nowhere)'],
  ['a file outside of the repository', '[x](../elsewhere.md)'],
])('notices %s', (_, text) => {
  const [link = ''] = linksIn(text);
  expect(brokenLink('README.md', link)).toBeTypeOf('string');
});

/** Forms in which texts outside of the repository were once cited. */
const citations: readonly RegExp[] = [
  /\binterface notes\b/u,
  /(?<!RFC \d{4}, )\b[Ss]ections? \d+(?:\.\d+)?/u,
  /(?<!Remove )\b[Rr]ows? \d+\b(?!(?:–\d+)? of \d)/u,
  /\btable \d+ of the interface\b/u,
  /\b[Ii]ssue #?\d+\b/u,
];

/** Pages that exist, and the one that `/bellhop timeline` sends. */
const documents = new Set([
  'timeline.md',
  ...globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**'] }).map((path) => basename(path)),
]);

const namesMissingPage = (line: string): boolean =>
  [...line.matchAll(/\b([\w-]+\.md)\b/gu)].some(([, name = '']) => !documents.has(name));

it('cites no document that is not in the repository', () => {
  const texts = globSync(
    '{*.md,*.yaml,*.json,{src,playground,test,bench,scripts,deploy,docs,.ci}/**/*.{ts,js,md,yaml,yml,css,html}}',
    { cwd: root, exclude: ['**/node_modules/**', 'test/documents.test.ts', '*-lock.json'] },
  );
  const found = texts.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) =>
        namesMissingPage(line) || citations.some((citation) => citation.test(line))
          ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});
