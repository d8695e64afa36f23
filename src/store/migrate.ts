import { sql } from 'kysely';

import { badConfiguration, errorCode } from '../model/values/errors.ts';
import { type Database, type Dialect, type Queries, StoreUnavailableError } from './database/database.ts';
import { firstTables } from './database/schema.ts';
import { first } from './migrations/0001-first.ts';
import { deliveries } from './migrations/0002-deliveries.ts';
import { recentChange } from './migrations/0003-recent-change.ts';
import { leftMessages } from './migrations/0004-left-messages.ts';

type Migration = (queries: Queries, dialect: Dialect) => Promise<void>;

/** Run in order, numbered from 1. After each migration the previous version must still run, so that replicas can be replaced one by one. */
export const migrations: readonly MigrationStep[] = [
  { name: '0001-first', hash: '551af40fdfb2e21e', run: first },
  { name: '0002-deliveries', hash: 'be884c6ccf86afb2', run: deliveries },
  { name: '0003-recent-change', hash: 'f307655c83fd5db4', run: recentChange },
  { name: '0004-left-messages', hash: '9f1b582c289d37cf', run: leftMessages },
];

interface MigrationStep {
  readonly name: string;
  /** Of the step's statements on both databases, stored after its name. If the statements change, a test shows the new hash. */
  readonly hash: string;
  readonly run: Migration;
}

/** Arbitrary, but the same in all replicas. */
const advisoryLock = 7_236_548_001;

/**
 * Migrates in one transaction. Replicas that start together take turns. If the schema is up to date, nothing is written, so that a login
 * that may not change tables can start.
 * @throws BellhopError `configuration` if a newer version has written the schema, or this login may not change it
 */
export async function migrate(database: Database): Promise<void> {
  if (await database.read((queries) => isUpToDate(queries, database.dialect))) return;
  try {
    await migrateAlone(database);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw badConfiguration(
      'The tables must be created or changed for this version, and the login of DATABASE_URL is not allowed to do that. ' +
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

/** Insufficient_privilege, in appendix A of PostgreSQL. */
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
    for (const [index, { name, hash, run }] of migrations.entries()) {
      if (index < version) continue;
      await run(queries, database.dialect);
      await queries
        .insertInto('schema_version')
        .values({ number: index + 1, name: `${name} ${hash}` })
        .execute();
    }
  });
}

/** @throws BellhopError `configuration` if another version has written the schema, or a step of it */
async function knownVersion(queries: Queries): Promise<number> {
  const steps = await queries.selectFrom('schema_version').selectAll().orderBy('number').execute();
  const number = steps.at(-1)?.number ?? 0;
  if (number > migrations.length)
    throw badConfiguration(
      `The store was written by a newer Bellhop (schema ${number}; this one knows ${migrations.length}). ` +
        'Start that version again, or restore the backup made before it.',
    );
  const unlike = migrations.find(({ hash }, at) => {
    const written = steps[at]?.name.split(' ')[1];
    return written !== undefined && written !== hash;
  });
  // The first versions wrote no hash.
  const isUnnamed = steps.some(({ name }) => !name.includes(' '));
  const lacking = isUnnamed ? await lackingColumn(queries) : undefined;
  if (!unlike && lacking === undefined) return number;
  const why = unlike ? `its step ${unlike.name} has other statements` : `it lacks ${lacking}`;
  throw badConfiguration(
    `The store was written by an older Bellhop from before the first release: ${why}. ` +
      'Start the version that wrote it, or start with an empty store: another DATA_DIR, or another database in DATABASE_URL.',
  );
}

async function lackingColumn(queries: Queries): Promise<string | undefined> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true });
  const found = new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
  return Object.entries(firstTables)
    .flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`))
    .find((name) => !found.has(name));
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
