import { writeSection } from '../../scripts/document-section.ts';
import type { Played } from './play-scenario.ts';
import { markdownTable, notPlayedIn } from './table.ts';

/** Puts what came of all scenarios, and `more` sentences of it, between the markers of docs/reliability.md. @throws Error where they are missing */
export function writeTable(
  all: readonly Played[],
  seconds: number,
  summary: string,
  more: readonly string[],
): void {
  const text = [
    `\`npm run test:faults -- --seconds ${seconds} --write\`: ${summary}.`,
    '',
    markdownTable(all),
    ...[...notPlayedIn(all), ...more].map((line) => `\n${line}`),
  ].join('\n');
  writeSection('docs/reliability.md', 'faults', text);
}
