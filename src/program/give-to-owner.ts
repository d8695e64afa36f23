import { chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Gives what root has just made to the owner of its folder: a program that was run as root, of a service that is not. */
export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}
