import { z } from 'zod';

import { errorCode } from '../../model/values/errors.ts';
import { type Purpose, StoreUnavailableError } from '../database/database.ts';

const sqliteError = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.number().int() });
const closedError = z.object({ code: z.literal('ERR_INVALID_STATE') });

/** By primary result code. Source: sqlite.org/rescode.html. */
const reasons: Readonly<Record<number, string>> = {
  3: 'Access to the database file was refused',
  5: 'The database is locked by another process',
  6: 'The database is locked by another process',
  7: 'The database ran out of memory',
  8: 'The database file cannot be written',
  10: 'The disk of the data directory has I/O errors',
  11: 'The database file is damaged',
  13: 'The disk of the data directory is full',
  14: 'The database file cannot be opened',
  15: 'The database is locked by another process',
  26: 'The database file is not a database',
};

/** Too big, against a constraint, of the wrong type, or out of range. The same value would be refused again. */
const ofTheValue: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** A mistake in Bellhop's own code is returned unchanged. */
export function sqliteProblem(error: unknown, purpose: Purpose): unknown {
  const known = sqliteError.safeParse(error);
  if (known.success) {
    const { errcode } = known.data;
    const code = errcode % 256;
    const reason = reasons[code] ?? `The database rejected a statement (SQLite code ${errcode})`;
    return new StoreUnavailableError(reason, purpose, { cause: error, retryable: !ofTheValue.has(code) });
  }
  return closedError.safeParse(error).success
    ? new StoreUnavailableError('The database is closed', purpose, { cause: error })
    : error;
}

export const isBusy = (error: unknown): boolean => {
  const known = sqliteError.safeParse(error);
  return known.success && known.data.errcode % 256 === 5;
};

const noRoom: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

export function fileProblem(error: unknown, purpose: Purpose): StoreUnavailableError {
  const code = errorCode(error);
  const readOnly = code === 'EROFS' ? 'The file system of the data directory is read-only' : undefined;
  const reason = readOnly ?? reasons[noRoom.has(code) ? 13 : 10] ?? '';
  return new StoreUnavailableError(reason, purpose, { cause: error });
}
