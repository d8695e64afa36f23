import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The path of a file beside package.json, whichever folder this runs from: the sources, or what is built of them. */
export const projectFile = (name: string): string =>
  join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), name);
