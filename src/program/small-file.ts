import { readFileSync, statSync } from 'node:fs';

import { errorCode } from '../model/errors.ts';

/** What was read, or why it could not be, as the end of a sentence that begins with the file's name. */
type SmallFile = { readonly bytes: Uint8Array } | { readonly problem: string; readonly absent: boolean };

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'is a symbolic link that leads in a circle',
  ENAMETOOLONG: 'has too long a name',
};

/** Reads a regular file of at most `maxBytes`. Never throws, and never waits on a pipe or a device. */
export function readSmallFile(path: string, maxBytes: number): SmallFile {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return { problem: 'is a folder, not a file', absent: false };
    if (!stat.isFile()) return { problem: 'is not a regular file', absent: false };
    if (stat.size > maxBytes) return tooLarge(maxBytes);
    const bytes = readFileSync(path);
    return bytes.length > maxBytes ? tooLarge(maxBytes) : { bytes };
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: 'does not exist', absent: true };
    return { problem: reasons[code] ?? `cannot be read (${code})`, absent: false };
  }
}

const tooLarge = (maxBytes: number): SmallFile => ({
  problem: `is larger than ${maxBytes / 1024} KiB`,
  absent: false,
});
