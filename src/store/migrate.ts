import { sql } from 'kysely';

import { BellhopError, errorCode } from '../model/errors.ts';
import { type Database, type Dialect, type Queries, StoreUnavailableError } from './database/database.ts';
import { requestsAuditDeliveries } from './migrations/0001-requests-audit-deliveries.ts';
import { reviews } from './migrations/0002-reviews.ts';
import { leases } from './migrations/0003-leases.ts';
import { leftDeliveries } from './migrations/0004-left-deliveries.ts';
import { reviewNotes } from './migrations/0005-review-notes.ts';
import { alerts } from './migrations/0007-alerts.ts';
import { notices } from './migrations/0006-notices.ts';
import { watches } from './migrations/0008-watches.ts';
import { sealedLog } from './migrations/0009-sealed-log.ts';
import { edgeOfTheTree } from './migrations/0010-edge-of-the-tree.ts';
import { forwarding } from './migrations/0011-forwarding.ts';
import { alertTiers } from './migrations/0012-alert-tiers.ts';
import { storeHome } from './migrations/0013-store-home.ts';
import { presses } from './migrations/0014-presses.ts';
import { runner } from './migrations/0015-runner.ts';

type Migration = (queries: Queries, dialect: Dialect) => Promise<void>;

/** In order, numbered from 1. Each must leave the version before it able to run, so that replicas can be replaced one by one. */
const migrations: readonly { readonly name: string; readonly run: Migration }[] = [
  { name: '0001-requests-audit-deliveries', run: requestsAuditDeliveries },
  { name: '0002-reviews', run: reviews },
  { name: '0003-leases', run: leases },
  { name: '0004-left-deliveries', run: leftDeliveries },
  { name: '0005-review-notes', run: reviewNotes },
  { name: '0006-notices', run: notices },
  { name: '0007-alerts', run: alerts },
  { name: '0008-watches', run: watches },
  { name: '0009-sealed-log', run: sealedLog },
  { name: '0010-edge-of-the-tree', run: edgeOfTheTree },
  { name: '0011-forwarding', run: forwarding },
  { name: '0012-alert-tiers', run: alertTiers },
  { name: '0013-store-home', run: storeHome },
  { name: '0014-presses', run: presses },
  { name: '0015-runner', run: runner },
];

/** Any number, the same in all replicas. */
const advisoryLock = 7_236_548_001;

/**
 * Brings the schema up to date, in one transaction; replicas that start together take turns. Where it is already, nothing is
 * written, so that a login that may not change tables can start.
 * @throws BellhopError `configuration` where a newer version has written it, or this login may not change it
 */
export async function migrate(database: Database): Promise<void> {
  if (await database.read((queries) => isUpToDate(queries, database.dialect))) return;
  try {
    await migrateAlone(database);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new BellhopError(
      'configuration',
      'The tables have to be made or changed for this version, and the login of DATABASE_URL may not do that. ' +
        'Run `npm run store -- migrate --role <that login>` with the DATABASE_URL of their owner, then start again.',
      { cause: error },
    );
  }
}

async function isUpToDate(queries: Queries, dialect: Dialect): Promise<boolean> {
  return (await hasSchema(queries, dialect)) && (await knownVersion(queries)) === migrations.length;
}

/** Whether a version of Bellhop has made its tables there. */
export async function hasSchema(queries: Queries, dialect: Dialect): Promise<boolean> {
  const { rows } = await (
    dialect === 'postgres'
      ? sql`select 1 where to_regclass('schema_version') is not null`
      : sql`select 1 from sqlite_master where name = 'schema_version'`
  ).execute(queries);
  return rows.length > 0;
}

/** PostgreSQL, appendix A: insufficient_privilege. */
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

/** @throws BellhopError `configuration` where a newer version has written it */
async function knownVersion(queries: Queries): Promise<number> {
  const { number } = await queries
    .selectFrom('schema_version')
    .select((is) => is.fn.coalesce(is.fn.max('number'), is.lit(0)).as('number'))
    .executeTakeFirstOrThrow();
  if (number <= migrations.length) return number;
  throw new BellhopError(
    'configuration',
    `The store was written by a newer Bellhop (schema ${number}; this one knows ${migrations.length}). ` +
      'Start that version again, or restore the backup made before it.',
  );
}

/** For programs that only read. @throws BellhopError `configuration` where the schema is not that of this version */
export async function refuseOlder(queries: Queries): Promise<void> {
  const number = await knownVersion(queries);
  if (number === migrations.length) return;
  throw new BellhopError(
    'configuration',
    `The store was written by an older Bellhop (schema ${number}; this one reads ${migrations.length}). ` +
      'Start this version of Bellhop once: it brings the store up to date.',
  );
}
