import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { badInput, badConfiguration } from '../../model/values/errors.ts';
import type { After } from '../../model/after.ts';
import type { Database } from '../database/database.ts';
import { hasSchema } from '../migrate.ts';
import { openDatabase, openDatabaseToRead, type StoreLocation } from '../open-store.ts';
import { keepHome } from '../queries/requests/history.ts';
import { openSqliteToRead, sqliteFile } from '../sqlite/open-sqlite.ts';
import { type Copied, copyStore } from './copy-store.ts';
import { closing } from '../../text/words.ts';

/**
 * Copies a store of either kind, as it is now, into one new embedded database that only this user may read. The file gets its name once the
 * copy is complete, verified and on disk.
 * @throws BellhopError `configuration` if the file exists, there is no store, or the copy does not verify
 */
export async function backUp(location: StoreLocation, file: string): Promise<Copied> {
  refuseExisting(file);
  await using source = closing(await openDatabaseToRead(location));
  const partial = mkdtempSync(`${file}.partial-`);
  try {
    const copied = await within(await openDatabase({ dataDir: partial }), async (to) => {
      // Marks the file as an older state, in case someone opens it as a store.
      await to.write((queries) => keepHome(queries, 'a backup'));
      return copyStore(source, to);
    });
    putInPlace(sqliteFile(partial), file);
    return copied;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Copies a backup of this or an older version into an empty store of either kind. Its open requests end as unknown, because they may have
 * run since.
 * @throws BellhopError `configuration` if the file is not a backup, is damaged, or is of a newer version; if the store has rows, or a
 * running Bellhop
 */
export async function restore(file: string, location: StoreLocation, dueAfter: After): Promise<Copied> {
  if (!existsSync(file)) throw badInput(`${file} does not exist. Give the path of the backup to restore.`);
  // The migration runs on a copy, so that the backup stays unchanged.
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-restore-'));
  try {
    copyFileSync(file, sqliteFile(folder));
    chmodSync(sqliteFile(folder), 0o600);
    refuseDamaged(sqliteFile(folder), file);
    const isStore = await within(openSqliteToRead(folder), ({ read, dialect }) =>
      read((queries) => hasSchema(queries, dialect)),
    );
    if (!isStore) throw badConfiguration(`${file} is not a backup of Bellhop.`);
    await using source = closing(await openDatabase({ dataDir: folder }));
    await using destination = closing(await openDatabase(location));
    return await copyStore(source, destination, { at: Date.now(), dueAfter });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function within<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  await using opened = closing(database);
  return await work(opened);
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw badConfiguration(`${file} already exists. Choose another file name.`);
}

/** One file without a separate log, on disk before the file gets its name. */
function putInPlace(written: string, file: string): void {
  const database = new DatabaseSync(written);
  database.exec('pragma journal_mode = delete');
  database.close();
  sync(written);
  refuseExisting(file);
  renameSync(written, file);
  sync(dirname(file));
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseDamaged(copy: string, file: string): void {
  const fault = faultOf(copy);
  if (fault === undefined) return;
  throw badConfiguration(`${file} is damaged or incomplete: ${fault}. Restore another backup.`);
}

function faultOf(file: string): string | undefined {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = Object.values(database.prepare('pragma integrity_check(1)').get() ?? {})[0];
    return found === 'ok' ? undefined : String(found).replaceAll('\n', ' ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database.close();
  }
}
