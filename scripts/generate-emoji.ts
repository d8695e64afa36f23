import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

// Slack takes its emoji names from emoji-datasource. The package is 25 MB, nearly all of it pictures, so it is fetched only
// to write this table: node scripts/generate-emoji.ts, after a change of the version here.
const source = 'emoji-datasource@16.0.0';
const target = join(import.meta.dirname, '../playground/workspace/page/text/emoji-names.js');

const emojiList = z.array(z.object({ unified: z.string(), short_names: z.array(z.string()) }));

const folder = mkdtempSync(join(tmpdir(), 'bellhop-emoji-'));
try {
  const archive = execFileSync('npm', ['pack', '--silent', source], { cwd: folder, encoding: 'utf8' }).trim();
  const json = execFileSync('tar', ['xzOf', archive, 'package/emoji.json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const names = emojiList
    .parse(JSON.parse(json))
    .flatMap(({ unified, short_names }) => short_names.map((name) => [name, glyphOf(unified)] as const))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(target, tableOf(names));
  execFileSync('npx', ['oxfmt', target]);
  process.stdout.write(`${names.length} names in ${readFileSync(target).length} bytes: ${target}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param unified code points in hex: `2611-FE0F` */
function glyphOf(unified: string): string {
  return String.fromCodePoint(...unified.split('-').map((point) => Number.parseInt(point, 16)));
}

function tableOf(names: readonly (readonly [string, string])[]): string {
  const lines = names.map(([name, glyph]) => `  '${name}': '${glyph}',`);
  return [
    `// Generated from ${source} by scripts/generate-emoji.ts.`,
    '/** @type {Readonly<Record<string, string>>} Slack’s names of emoji, without colons. */',
    'export const glyphs = Object.freeze({',
    ...lines,
    '});\n',
  ].join('\n');
}
