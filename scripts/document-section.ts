import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The page with text between `<!-- name -->` and `<!-- /name -->`. @throws Error if the page has no such place */
export function withSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no ${start} … ${end}`);
  return `${page.slice(0, from)}${start}\n${text}\n${page.slice(to)}`;
}

/**
 * Puts text into its place of a document, such as `docs/benchmarks.md`.
 * @throws Error if the document has no such place
 */
export function writeSection(document: string, name: string, text: string): void {
  const path = join(root, document);
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), name, text));
}
