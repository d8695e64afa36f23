import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const readme = join(import.meta.dirname, '../README.md');

/** The page with text between `<!-- name -->` and `<!-- /name -->`. @throws Error where it has no such place */
export function withSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} … ${end}`);
  return `${page.slice(0, from)}${start}\n${text}\n${page.slice(to)}`;
}

/** Puts text into its place of README.md. @throws Error where there is none */
export function writeSection(name: string, text: string): void {
  writeFileSync(readme, withSection(readFileSync(readme, 'utf8'), name, text));
}
