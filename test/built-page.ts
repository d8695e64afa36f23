import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const source = join(root, 'playground/workspace/page');

/**
 * The playground's page bundled into few files. A browser opens it with 7 requests instead of 91, and half the CPU. The
 * page is made once for each state of its sources, and kept. The tests of how it looks use the page as it is shipped.
 * @returns the path of the folder
 */
export const builtPage = (): Promise<string> => (kept ??= find());
let kept: Promise<string> | undefined;

async function find(): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `page-${stateOfSources()}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  await build(fresh);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // First rename wins: another worker may have made the page in the meantime.
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function stateOfSources(): string {
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  const hash = createHash('sha256');
  for (const path of [...paths, join(root, 'package-lock.json'), import.meta.filename])
    hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

async function build(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(source, 'main.js') },
    checks: { circularDependency: false },
  });
  await bundle.write({ dir: folder, chunkFileNames: '[name].js' });
  await bundle.close();
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)" \/>/gu)];
  writeFileSync(
    join(folder, 'sheet.css'),
    sheets.map(([, path = '']) => readFileSync(join(source, path), 'utf8')).join('\n'),
  );
  writeFileSync(
    join(folder, 'index.html'),
    html
      .replace('</title>', '$&<link rel="stylesheet" href="/sheet.css" />')
      .replaceAll(
        /<link rel="stylesheet" href="\/style\/[^>]+>|<script type="importmap">[^<]+<\/script>/gu,
        '',
      ),
  );
  cpSync(join(source, 'icon.svg'), join(folder, 'icon.svg'));
}
