import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { command, type Program, runProgram, UsageError } from '../src/program/run-program.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const program: Program = {
  command: 'npm run release --',
  help: `Usage: npm run release -- <version> [--dry-run | --notes]
Makes the commit and the tag of a release: the version in package.json, the lock file and the chart, the changelog's Unreleased as
the section of this version, and the released interface. It pushes nothing. docs/release.md has the other steps.
  --dry-run   print what would change, and change nothing
  --notes     print the changelog's section of a released version`,
};

const shape = /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/u;
const unreleased = /^## \[Unreleased\].*$/mu;

/** The text below the heading of a version, up to the next version. @throws Error if there is none */
export function sectionOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## \\[${RegExp.escape(version)}\\].*$`, 'mu').exec(changelog);
  if (!heading) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  const rest = changelog.slice(heading.index + heading[0].length);
  const end = rest.search(/^## \[/mu);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** Returns the changed files. @throws Error if a file is not as expected @param date as 2026-12-24 */
export function released(version: string, date: string, file = read): ReadonlyMap<string, string> {
  const changelog = file('CHANGELOG.md');
  if (sectionOf(changelog, 'Unreleased') === '')
    throw new Error('CHANGELOG.md has nothing under Unreleased.');
  const current = /"version": "([^"]+)"/u.exec(file('package.json'))?.[1] ?? '';
  const first = !/^## \[\d/mu.test(changelog);
  if (!first && !isGreater(version, current))
    throw new Error(`${version} is not greater than ${current}, the version in package.json.`);
  const replaced = (name: string, pattern: RegExp, text: string): [string, string] => {
    const before = file(name);
    if (!pattern.test(before)) throw new Error(`${name} has no version to replace.`);
    return [name, before.replace(pattern, text)];
  };
  const [lock, once] = replaced('package-lock.json', /^(  "version": )"[^"]+"/mu, `$1"${version}"`);
  const [chart, its] = replaced('deploy/helm/Chart.yaml', /^version: .+$/mu, `version: ${version}`);
  return new Map([
    replaced('package.json', /^(  "version": )"[^"]+"/mu, `$1"${version}"`),
    [
      lock,
      once.replace(/(\n    "": \{\n      "name": "bellhop",\n      "version": )"[^"]+"/u, `$1"${version}"`),
    ],
    [chart, its.replace(/^appVersion: .+$/mu, `appVersion: ${version}`)],
    replaced('CHANGELOG.md', unreleased, `## [Unreleased]\n\n## [${version}] - ${date}`),
    ['test/released/interface.json', file('docs/interface-of-bellhop.json')],
  ]);
}

function isGreater(one: string, other: string): boolean {
  const [parts, others] = [one.split('.').map(Number), other.split('.').map(Number)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && (parts[at] ?? 0) > (others[at] ?? 0);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const release = command({
  options: { 'dry-run': { type: 'boolean', default: false }, notes: { type: 'boolean', default: false } },
  words: { least: 1, most: 1, otherwise: 'Name one version, such as 0.2.0.' },
  run({ 'dry-run': isDry, notes }, [version = '']) {
    if (!shape.test(version)) throw new UsageError(`“${version}” is not a version such as 0.2.0.`);
    if (notes) {
      say(sectionOf(read('CHANGELOG.md'), version));
      return Promise.resolve(0);
    }
    const tag = `v${version}`;
    if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists.`);
    if (!isDry && git('status', '--porcelain') !== '')
      throw new Error('Commit or remove your changes first.');
    const files = released(version, new Date().toISOString().slice(0, 10));
    const changed = [...files].filter(([name, text]) => read(name) !== text);
    for (const [name, text] of changed) {
      say(`${isDry ? 'would change' : 'changed'} ${name}`);
      if (!isDry) writeFileSync(join(root, name), text);
    }
    if (!isDry) {
      git('commit', '--quiet', '--message', `Release ${version}`, '--', ...changed.map(([name]) => name));
      git('tag', '--annotate', '--message', `Bellhop ${version}`, tag);
    }
    say(
      isDry
        ? `would tag ${tag}. The notes would be:\n\n${sectionOf(files.get('CHANGELOG.md') ?? '', version)}`
        : `tagged ${tag}. Publish it: git push --follow-tags`,
    );
    return Promise.resolve(0);
  },
});

if (import.meta.main) await runProgram(program, release.run);
