import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Played } from './play-scenario.ts';
import { markdownTable, notPlayedIn } from './table.ts';

const file = join(import.meta.dirname, '../../README.md');
const marked = /<!-- faults -->\n[\s\S]*?<!-- \/faults -->/u;

/** Puts what came of all scenarios, and `more` sentences of it, between the README's markers. @throws Error where they are missing */
export function writeReadme(
  all: readonly Played[],
  seconds: number,
  summary: string,
  more: readonly string[],
): void {
  const readme = readFileSync(file, 'utf8');
  if (!marked.test(readme)) throw new Error('README.md has no <!-- faults --> … <!-- /faults -->');
  const text = [
    '<!-- faults -->',
    `\`npm run test:faults -- --seconds ${seconds} --write\`: ${summary}.`,
    '',
    markdownTable(all),
    ...[...notPlayedIn(all), ...more].map((line) => `\n${line}`),
    '<!-- /faults -->',
  ].join('\n');
  writeFileSync(
    file,
    readme.replace(marked, () => text),
  );
}
