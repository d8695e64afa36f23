import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';

import { BellhopError, errorCode } from '../../model/errors.ts';
import { giveToOwner, makeFolder } from '../../program/files.ts';
import { type Database, type Purpose, type Queries, StoreUnavailableError } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { lockDataDir, lockFile } from './data-dir-lock.ts';
import { GroupCommit, type GroupOptions } from '../database/group-commit.ts';
import { fileProblem, sqliteProblem } from './sqlite-problem.ts';

/** Milliseconds to wait for another program that writes to the file; nothing else runs meanwhile. */
const busyTimeout = 500;

/** Where the embedded database of a data directory is. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'bellhop.db');

/**
 * Opens the embedded database of a data directory exclusively for this process, and creates a missing directory.
 * Every commit is synced to disk before it is answered.
 * @throws BellhopError `configuration` if another process has it, `store-unavailable` if it cannot be opened
 */
export function openSqlite(dataDir: string): Database {
  try {
    makeFolder(dataDir, 0o700);
  } catch (cause) {
    const reason = `The data directory ${dataDir} cannot be made (${errorCode(cause) ?? 'for no reason given'}): set DATA_DIR to one that this user may write to`;
    throw new StoreUnavailableError(reason, 'open', { cause });
  }
  return opening(dataDir, () => {
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
 * Opens it to read only, while the bot runs or not.
 * @throws BellhopError `configuration` if there is none, `store-unavailable` if it can't be opened
 */
export function openSqliteToRead(dataDir: string): Database {
  const file = sqliteFile(dataDir);
  if (!existsSync(file)) {
    throw new BellhopError('configuration', `There is no ${file}. Set DATA_DIR to Bellhop's data directory.`);
  }
  return opening(dataDir, () => {
    const reader = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout });
    return databaseOn(dataDir, reader, reader);
  });
}

function opening(dataDir: string, open: () => Database): Database {
  refuseForeign(dataDir);
  try {
    return open();
  } catch (error) {
    const problem = sqliteProblem(error, 'open');
    if (problem !== error && problem instanceof BellhopError) {
      throw new BellhopError(problem.code, `${problem.message} DATA_DIR is ${dataDir}.`, { cause: error });
    }
    throw error;
  }
}

/** @throws StoreUnavailableError if a file of it is there and this user may not use it */
function refuseForeign(dataDir: string): void {
  for (const file of [sqliteFile(dataDir), lockFile(dataDir)]) {
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (cause) {
      if (errorCode(cause) !== 'EACCES' || !existsSync(file)) continue;
      const reason = `${file} belongs to user ${statSync(file).uid}, and this process runs as user ${process.getuid?.()}: give it to that one, chown --recursive --reference=${dataDir} ${dataDir}/`;
      throw new StoreUnavailableError(reason, 'open', { cause });
    }
  }
}

/** Reads have a connection of their own, so that they never see what is not committed. */
function openFile(file: string): { writer: DatabaseSync; reader: DatabaseSync } {
  const writer = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  try {
    // The files beside it, -wal and -shm, take the mode of this one.
    chmodSync(file, 0o600);
    giveToOwner(file);
    writer.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864');
    const reader = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** @param unlock where the data directory is locked for this process */
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
    note: (work) => naming('write', () => group.write(work)),
    writeAlone: (work) => naming('write', () => group.write(work)),
    writeInTurn: (turn, work) => naming('write', () => group.write(work, turn)),
    read: (work) => naming('read', () => work(reads)),
    snapshot: (work) => naming('read', () => onSnapshot(sqliteFile(dataDir), work)),
    tryRoom: () => tryRoom(dataDir),
    sharedNow: (now) => sql<number>`${now}`,
    home: async () => {
      const { ino, birthtimeMs } = statSync(sqliteFile(dataDir));
      return `file ${ino}, made ${birthtimeMs}`;
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

/** The log beside the database keeps the room that it once had, so a small change says little of the disk. */
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

/** On a connection of its own: a transaction sees what was committed when it began to read. */
async function onSnapshot<T>(file: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout });
  try {
    connection.exec('begin');
    return await work(queriesOn(connection));
  } finally {
    connection.close();
  }
}

/** So many writes share a transaction at most, to let reads and the network have their turn. */
const mostAtOnce = 256;

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
    mostAtOnce,
    // It is the only writer of the file.
    isConflict: () => false,
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

/** More than the store has. */
const mostStatements = 200;

/**
 * More than any statement of the store that takes no list. One that does is another for each length and hardly met again; kept
 * with its program and its last values, two hundred of them took 50 MB.
 */
const mostParameters = 60;

/** node:sqlite in the shape that Kysely's SQLite dialect asks for, with prepared statements kept. */
export function sqliteAdapter(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = prepared.get(text);
      if (known) return known;
      const statement = adapted(database.prepare(text));
      if (text.split('?', mostParameters + 2).length > mostParameters + 1) return statement;
      if (prepared.size >= mostStatements) prepared.clear();
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
