import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Undefined for what is no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The path of a file beside package.json, whichever folder this runs from: the sources, or what is built of them. */
export const projectFile = (name: string): string =>
  join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), name);
