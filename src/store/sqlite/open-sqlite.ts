import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';

import { badConfiguration, BellhopError, errorCode } from '../../model/values/errors.ts';
import { giveToOwner, makeFolder } from '../../program/files.ts';
import { type Database, type Purpose, type Queries, StoreUnavailableError } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { lockDataDir, lockFile, restrict } from './data-dir-lock.ts';
import { GroupCommit, type GroupOptions } from '../database/group-commit.ts';
import { fileProblem, sqliteProblem } from './sqlite-problem.ts';

/** In milliseconds: how long Bellhop waits for another program that writes to the file. Nothing else runs meanwhile. */
const busyTimeout = 500;

export const sqliteFile = (dataDir: string): string => join(dataDir, 'bellhop.db');

/**
 * Exclusively for this process. Creates a missing directory. Every commit is synced to disk before the result is returned.
 * @throws BellhopError `configuration` if another process has the directory, `store-unavailable` if the database can't be opened
 */
export function openSqlite(dataDir: string): Database {
  try {
    makeFolder(dataDir, 0o700);
  } catch (cause) {
    const reason = `The data directory ${dataDir} cannot be created (${errorCode(cause) ?? 'for no reason given'}): set DATA_DIR to one that this user can write to`;
    throw new StoreUnavailableError(reason, 'open', { cause });
  }
  return opening(dataDir, () => {
    refuseForeign(dataDir, constants.R_OK | constants.W_OK, dataDir);
    const lock = lockDataDir(dataDir);
    try {
      const { writer, reader } = openFile(sqliteFile(dataDir));
      return databaseOn(dataDir, writer, reader, lock.release);
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

/**
 * Read-only, whether the bot runs or not.
 * @throws BellhopError `configuration` if there is no database, `store-unavailable` if it can't be opened
 */
export function openSqliteToRead(dataDir: string): Database {
  existing(dataDir);
  return opening(
    dataDir,
    () => {
      const reader = openReader(dataDir);
      return databaseOn(dataDir, reader, reader);
    },
    constants.R_OK,
  );
}

/** Writable, whether the bot runs or not. The bot waits for each transaction, so keep them short. */
export function openSqliteBeside(dataDir: string): Database {
  const file = existing(dataDir);
  return opening(dataDir, () => {
    const { writer, reader } = openFile(file);
    const database = databaseOn(dataDir, writer, reader);
    return {
      ...database,
      async close() {
        // While the bot runs, closing this connection does not remove the earlier pages from the -wal file.
        writer.exec('pragma wal_checkpoint(truncate)');
        await database.close();
      },
    };
  });
}

/**
 * SQLite makes a file beside the database even to read it. On a read-only disk it can't, so the database is opened as unchanging, unless
 * changes wait in the -wal file.
 */
function openReader(dataDir: string): DatabaseSync {
  const file = sqliteFile(dataDir);
  const [log, index] = [`${file}-wal`, `${file}-shm`];
  const unchanging = !isWritable(dataDir) && !(existsSync(log) && existsSync(index));
  if (unchanging && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new StoreUnavailableError(
      `${dataDir} is read-only, and the newest changes are still in ${log}: copy the whole folder to a disk that can be written, and set DATA_DIR to the copy`,
      'open',
    );
  const location = pathToFileURL(file);
  if (unchanging) location.searchParams.set('immutable', '1');
  return new DatabaseSync(location, { readOnly: true, timeout: busyTimeout });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws BellhopError `configuration` */
function existing(dataDir: string): string {
  const file = sqliteFile(dataDir);
  if (existsSync(file)) return file;
  throw badConfiguration(`There is no ${file}. Set DATA_DIR to Bellhop's data directory.`);
}

function opening(dataDir: string, open: () => Database, access = constants.R_OK | constants.W_OK): Database {
  try {
    refuseForeign(dataDir, access);
    return open();
  } catch (error) {
    const problem = sqliteProblem(error, 'open');
    if (problem instanceof StoreUnavailableError && !problem.message.includes(dataDir)) {
      throw new BellhopError(problem.code, `${problem.message} DATA_DIR is ${dataDir}.`, { cause: error });
    }
    throw error;
  }
}

/** @throws StoreUnavailableError if this user may not use an existing file of the directory */
function refuseForeign(dataDir: string, access: number, ...others: readonly string[]): void {
  for (const file of [sqliteFile(dataDir), lockFile(dataDir), ...others]) {
    try {
      accessSync(file, access);
    } catch (cause) {
      if (errorCode(cause) === 'EROFS') throw fileProblem(cause, 'open');
      if (errorCode(cause) !== 'EACCES' || !existsSync(file)) continue;
      const reason = `${file} belongs to user ${statSync(file).uid}, and this process runs as user ${process.getuid?.()}. Change its owner: chown --recursive --reference=${dataDir} ${dataDir}/`;
      throw new StoreUnavailableError(reason, 'open', { cause });
    }
  }
}

/** A separate connection for reads, so that they never see uncommitted data. */
function openFile(file: string): { writer: DatabaseSync; reader: DatabaseSync } {
  const writer = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  try {
    // The -wal and -shm files get the same mode.
    restrict(file);
    giveToOwner(file);
    writer.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864');
    // Overwrites removed text, such as a person's reasons, so that it can't be found in the file.
    writer.exec('pragma secure_delete = on');
    const reader = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** @param unlock defined if this process has locked the data directory */
function databaseOn(
  dataDir: string,
  writer: DatabaseSync,
  reader: DatabaseSync,
  unlock?: () => void,
): Database {
  const group = new GroupCommit(groupOn(writer));
  const reads = queriesOn(reader);
  return {
    dialect: 'sqlite',
    locked: unlock !== undefined,
    write: (work) => naming('write', () => group.write(work)),
    step: (work) => naming('write', () => group.write(work)),
    note: (work) => naming('write', () => group.write(work)),
    writeAlone: (work) => naming('write', () => group.write(work)),
    writeInTurn: (turn, work) => naming('write', () => group.write(work, { turn })),
    read: (work) => naming('read', () => work(reads)),
    snapshot: (work) => naming('read', () => onSnapshot(dataDir, work)),
    tryRoom: () => tryRoom(dataDir),
    sharedNow: (now) => sql<number>`${now}`,
    home: async () => {
      const { ino, birthtimeMs } = statSync(sqliteFile(dataDir));
      return sql`${`file ${ino}, made ${birthtimeMs}`}`;
    },
    close: async () => {
      await group.idle();
      if (!writer.isOpen) return;
      if (reader !== writer) reader.close();
      writer.close();
      unlock?.();
    },
  };
}

/** A small change does not notice a full disk, because the WAL file keeps its size. So this writes a file. */
async function tryRoom(dataDir: string): Promise<void> {
  const file = join(dataDir, 'room');
  try {
    await writeFile(file, Buffer.alloc(2 ** 21), { mode: 0o600, flush: true });
  } catch (cause) {
    throw fileProblem(cause, 'write');
  } finally {
    await rm(file, { force: true });
  }
}

/** A separate connection, because a transaction sees a snapshot from its first read. */
async function onSnapshot<T>(dataDir: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = openReader(dataDir);
  try {
    connection.exec('begin');
    return await work(queriesOn(connection));
  } finally {
    connection.close();
  }
}

/** Writes per transaction, so that reads and the network get their turn. */
const maxAtOnce = 256;

function groupOn(writer: DatabaseSync): GroupOptions {
  const run = async (statements: string): Promise<void> => writer.exec(statements);
  const open = {
    queries: queriesOn(writer),
    run,
    commit: () => run('commit'),
    rollback: () => run('rollback'),
  };
  return {
    begin: async () => {
      await run('begin immediate');
      return open;
    },
    maxAtOnce,
    // The file has no other writer.
    repeat: () => 'no',
    pause: () => Promise.resolve(),
  };
}

const queriesOn = (database: DatabaseSync): Queries =>
  new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqliteAdapter(database) }) });

async function naming<T>(purpose: Purpose, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sqliteProblem(error, purpose);
  }
}

/** More than the store needs. */
const maxStatements = 200;

/**
 * Statements with more parameters are not cached, because they have a list, differ for each length and rarely recur. Two hundred of them,
 * with their programs and last values, took 50 MB.
 */
const maxParameters = 60;

export function sqliteAdapter(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = prepared.get(text);
      if (known) return known;
      const statement = adapted(database.prepare(text));
      if (text.split('?', maxParameters + 2).length > maxParameters + 1) return statement;
      if (prepared.size >= maxStatements) prepared.clear();
      prepared.set(text, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function adapted(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}
