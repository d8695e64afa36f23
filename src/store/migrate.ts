import { sql } from 'kysely';

import { badConfiguration, errorCode } from '../model/values/errors.ts';
import { type Database, type Dialect, type Queries, StoreUnavailableError } from './database/database.ts';
import { first } from './migrations/0001-first.ts';

type Migration = (queries: Queries, dialect: Dialect) => Promise<void>;

/**
 * Migrations run in order, numbered from 1. After each migration the previous version must still run, so that replicas
 * can be replaced one by one.
 */
const migrations: readonly { readonly name: string; readonly run: Migration }[] = [
  { name: '0001-first', run: first },
];

/** This number is arbitrary, and the same in all replicas. */
const advisoryLock = 7_236_548_001;

/**
 * Migrates the schema in one transaction. Replicas that start together take turns. If the schema is up to date, nothing
 * is written, so that a login that may not change tables can start.
 * @throws BellhopError `configuration` if a newer version has written the schema, or this login may not change the
 * schema
 */
export async function migrate(database: Database): Promise<void> {
  if (await database.read((queries) => isUpToDate(queries, database.dialect))) return;
  try {
    await migrateAlone(database);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw badConfiguration(
      'The tables must be created or changed for this version, and the login of DATABASE_URL may not do that. ' +
        'Run `npm run store -- migrate --role <that login>` with the DATABASE_URL of their owner, then start again.',
      { cause: error },
    );
  }
}

async function isUpToDate(queries: Queries, dialect: Dialect): Promise<boolean> {
  return (await hasSchema(queries, dialect)) && (await knownVersion(queries)) === migrations.length;
}

export async function hasSchema(queries: Queries, dialect: Dialect): Promise<boolean> {
  const { rows } = await (
    dialect === 'postgres'
      ? sql`select 1 where to_regclass('schema_version') is not null`
      : sql`select 1 from sqlite_master where name = 'schema_version'`
  ).execute(queries);
  return rows.length > 0;
}

/** The code is insufficient_privilege in appendix A of PostgreSQL. */
const isRefusal = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && errorCode(error.cause) === '42501';

async function migrateAlone(database: Database): Promise<void> {
  await database.writeAlone(async (queries) => {
    if (database.dialect === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(queries);
      await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(queries);
    }
    await queries.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .execute();
    const version = await knownVersion(queries);
    for (const [index, { name, run }] of migrations.entries()) {
      if (index < version) continue;
      await run(queries, database.dialect);
      await queries
        .insertInto('schema_version')
        .values({ number: index + 1, name })
        .execute();
    }
  });
}

/** @throws BellhopError `configuration` if a newer version has written the schema */
async function knownVersion(queries: Queries): Promise<number> {
  const { number } = await queries
    .selectFrom('schema_version')
    .select((is) => is.fn.coalesce(is.fn.max('number'), is.lit(0)).as('number'))
    .executeTakeFirstOrThrow();
  if (number <= migrations.length) return number;
  throw badConfiguration(
    `The store was written by a newer Bellhop (schema ${number}; this one knows ${migrations.length}). ` +
      'Start that version again, or restore the backup made before it.',
  );
}

/** For programs that only read. @throws BellhopError `configuration` if the schema is not that of this version */
export async function refuseOlder(queries: Queries): Promise<void> {
  const number = await knownVersion(queries);
  if (number === migrations.length) return;
  throw badConfiguration(
    `The store was written by an older Bellhop (schema ${number}; this one reads ${migrations.length}). ` +
      'Start this version of Bellhop once: it brings the store up to date.',
  );
}
