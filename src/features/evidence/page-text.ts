import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFile } from '../../program/files.ts';
import { badConfiguration, errorCode } from '../../model/values/errors.ts';

/** The page that was built with the programs, or else a page made from its sources. */
export async function pageText(): Promise<string> {
  // The page is next to a built program, or one folder above a file that the programs share.
  const built = ['pages/evidence.html', '../pages/evidence.html'];
  const file = built.map((path) => join(import.meta.dirname, path)).find(existsSync);
  if (file !== undefined) return readFile(file, 'utf8');
  try {
    const { bundlePage } = await import('../../../scripts/bundle-page.ts');
    return await bundlePage(join(import.meta.dirname, 'page'));
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    // The packages that make the page are missing, as in an installation for production.
    const earlier = projectFile('dist/pages/evidence.html');
    if (existsSync(earlier)) return readFile(earlier, 'utf8');
    throw badConfiguration(
      'The page of the pack is not built. Run "npm ci && npm run build" where Bellhop is installed.',
      { cause },
    );
  }
}
