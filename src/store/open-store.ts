import { resolve } from 'node:path';

import { sql } from 'kysely';

import type { Cosignatures, SealedLog } from '../model/records/sealed-log.ts';
import { type Store, type StoreOptions, createStore } from './store.ts';
import { type Database, type Queries, StoreUnavailableError } from './database/database.ts';
import { migrate, refuseOlder } from './migrate.ts';
import { openSqlite, openSqliteBeside, openSqliteToRead } from './sqlite/open-sqlite.ts';
import { badConfiguration } from '../model/values/errors.ts';
import { secretOfEnvironment } from '../program/secret-variables.ts';
import { isPostgresAddress, isUnverifiedDatabase, notPostgres, unverifiedDatabase } from '../text/host.ts';

/** Embedded in a directory, or on a PostgreSQL server that replicas share. */
export type StoreLocation = { readonly dataDir: string } | { readonly databaseUrl: string };

/**
 * Brings the schema up to date.
 * @throws BellhopError `store-unavailable` if the database can't be reached or read, retryable if that may pass without a change of the
 * settings, and `configuration` if another process has the data directory or a newer version has written the schema
 */
export async function openStore(location: StoreLocation, options: StoreOptions = {}): Promise<Store> {
  return createStore(await openDatabase(location, options), options);
}

/** Also migrates. For programs that need more than the port offers. */
export async function openDatabase(location: StoreLocation, options: StoreOptions = {}): Promise<Database> {
  const database =
    'databaseUrl' in location ? await postgres(location.databaseUrl, options) : openSqlite(location.dataDir);
  try {
    if (database.dialect === 'postgres') await database.read(refuseEncoding);
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw atStart(error, location);
  }
}

/**
 * Only UTF-8 can store every character of a message.
 * @throws BellhopError `configuration`
 */
async function refuseEncoding(queries: Queries): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select getdatabaseencoding() as encoding`.execute(queries);
  const encoding = rows[0]?.encoding ?? 'unknown';
  if (encoding === 'UTF8') return;
  throw badConfiguration(
    `The database in DATABASE_URL cannot store all text: its encoding is ${encoding}. Create another one, and set DATABASE_URL to it: ` +
      'createdb --template=template0 --encoding=UTF8 --locale=C --owner=bellhop bellhop_utf8',
  );
}

const addressOf = ({ databaseUrl }: { readonly databaseUrl: string }): string => {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
};

/** Without user and password. */
export const nameOfStore = (location: StoreLocation): string =>
  'databaseUrl' in location
    ? `PostgreSQL at ${addressOf(location)}`
    : `the embedded store in ${location.dataDir}`;

/** Names the setting of the location, and the address without user and password. */
function atStart(error: unknown, location: StoreLocation): unknown {
  if (!(error instanceof StoreUnavailableError) || !('databaseUrl' in location)) return error;
  const advice = error.advice === undefined ? '' : `. ${error.advice}`;
  return new StoreUnavailableError(
    `${error.reason}: DATABASE_URL points to ${addressOf(location)}${advice}`,
    'open',
    { cause: error, retryable: error.passes },
  );
}

/** These work while the bot is stopped. */
export type AuditRecord = SealedLog & Cosignatures & Pick<Store, 'auditFrom' | 'close'>;

/**
 * For reading, whether Bellhop runs or not. Changes nothing, not even the schema.
 * @throws BellhopError as `openStore` does, and `configuration` if there is no store
 */
export async function openRecord(location: StoreLocation): Promise<AuditRecord> {
  return createStore(await openDatabaseToRead(location));
}

export const openDatabaseToRead = (location: StoreLocation): Promise<Database> =>
  openAsItIs(location, openSqliteToRead);

/** To change rows, whether Bellhop runs or not. */
export const openDatabaseBeside = (location: StoreLocation): Promise<Database> =>
  openAsItIs(location, openSqliteBeside);

/** @throws BellhopError if the schema is not that of this version */
async function openAsItIs(
  location: StoreLocation,
  openEmbedded: (dataDir: string) => Database,
): Promise<Database> {
  const database =
    'databaseUrl' in location ? await postgres(location.databaseUrl, {}) : openEmbedded(location.dataDir);
  try {
    await database.read(refuseOlder);
    return database;
  } catch (error) {
    await database.close();
    throw atStart(error, location);
  }
}

/** Loads the driver only if a server is used. */
async function postgres(databaseUrl: string, options: StoreOptions): Promise<Database> {
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(databaseUrl, options);
}

export const dataDirectory = (): string => resolve(process.env.DATA_DIR?.trim() || '.data');

/**
 * The store that Bellhop itself uses with this environment. For programs.
 * @throws BellhopError as `serverAt` does
 */
export function storeOfEnvironment(): StoreLocation {
  const databaseUrl = secretOfEnvironment('DATABASE_URL');
  return databaseUrl ? serverAt(databaseUrl, 'DATABASE_URL') : { dataDir: dataDirectory() };
}

/**
 * For programs. @param name of the setting or option
 * @throws BellhopError `configuration` if a start in this environment would refuse the URL, which is never quoted
 */
export function serverAt(databaseUrl: string, name: string): { readonly databaseUrl: string } {
  if (!isPostgresAddress(databaseUrl)) throw badConfiguration(`${name} ${notPostgres}`);
  const { NODE_ENV, DATABASE_TLS } = process.env;
  const development = ['', 'development', 'test'].includes(NODE_ENV?.trim().toLowerCase() ?? '');
  const verified = !development && DATABASE_TLS?.trim() !== 'off';
  if (verified && isUnverifiedDatabase(databaseUrl)) throw badConfiguration(`${name} ${unverifiedDatabase}`);
  return { databaseUrl };
}
