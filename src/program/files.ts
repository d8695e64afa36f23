import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPackageJSON } from 'node:module';

import { errorCode } from '../model/values/errors.ts';

/**
 * Node's own `recursive` never returns if the system reports ENOENT below an existing folder, as in /proc.
 * @param mode of each folder that is created
 * @throws the system's error if a folder cannot be created
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Root may run this program for a service of another user. */
export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Works from the sources and from the build. */
export const projectFile = (name: string): string =>
  join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), name);

/** The problem is words that follow the file's name. */
type SmallFile = { readonly bytes: Uint8Array } | { readonly problem: string; readonly code: string };

const reasons: Readonly<Record<string, string>> = {
  EACCES: "can't be read by this user",
  EISDIR: 'is a folder, not a file',
  ELOOP: 'is a circular symbolic link',
  ENAMETOOLONG: 'has too long a name',
};

/** At most `maxBytes` of a regular file. Never throws, and never waits on a pipe or a device. */
export function readSmallFile(path: string, maxBytes: number): SmallFile {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return { problem: 'is a folder, not a file', code: 'folder' };
    if (!stat.isFile()) return { problem: 'is not a regular file', code: 'irregular' };
    if (stat.size > maxBytes) return tooLarge(maxBytes);
    const bytes = readFileSync(path);
    return bytes.length > maxBytes ? tooLarge(maxBytes) : { bytes };
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: 'does not exist', code: 'absent' };
    return { problem: reasons[code] ?? `cannot be read (${code})`, code };
  }
}

const tooLarge = (maxBytes: number): SmallFile => ({
  problem: `is larger than ${maxBytes / 1024} KiB`,
  code: 'large',
});
