import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A separate file system at a folder, which can be filled. */
export interface SmallDisk {
  unmount(): Promise<void>;
}

/** @throws Error if this user may not mount one */
export async function mountSmallDisk(folder: string, bytes: number): Promise<SmallDisk> {
  mkdirSync(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder]);
  return { unmount: async () => void (await run('umount', ['-l', folder])) };
}

/** Why no disk can be mounted here; undefined if one can. */
export async function cannotMount(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-disk-'));
  try {
    await (await mountSmallDisk(folder, 65_536)).unmount();
    return undefined;
  } catch {
    return 'a small disk has to be mounted, which takes root on Linux';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
