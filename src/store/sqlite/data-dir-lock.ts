import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { badConfiguration, errorCode } from '../../model/values/errors.ts';
import { giveToOwner } from '../../program/files.ts';
import { fileProblem, isBusy } from './sqlite-problem.ts';

export const lockFile = (dataDir: string): string => join(dataDir, 'bellhop.lock');

/**
 * The operating system's lock on an empty SQLite database, held until the process ends in any way. The pid next to it is for people.
 * @throws BellhopError `configuration` if another process holds the lock
 */
export function lockDataDir(dataDir: string): { readonly release: () => void } {
  const pidFile = join(dataDir, 'bellhop.pid');
  const file = lockFile(dataDir);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    restrict(file);
    giveToOwner(file);
    lock.exec('pragma journal_mode = memory; begin exclusive');
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw errorCode(cause) === 'ERR_SQLITE_ERROR' ? cause : fileProblem(cause, 'open');
    throw badConfiguration(
      `The data directory ${dataDir} is in use by process ${pidIn(pidFile)}. ` +
        'Stop that process first, or set DATA_DIR to another directory. Replicas need DATABASE_URL.',
      { cause },
    );
  }
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Only the owner may change the mode, but the group of a mounted volume may have access all the same. */
export function restrict(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}

function pidIn(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'that has just started';
  } catch {
    return 'that has just started';
  }
}
