import { type Selectable, sql } from 'kysely';

import { BellhopError } from '../../core/model/errors.ts';
import { checkpointsFrom, leavesFrom, newestCheckpoint } from '../queries/sealed-log.ts';
import type { Database, Queries } from '../database.ts';
import type {
  AuditCheckpointsTable,
  AuditCosignaturesTable,
  AuditNodesTable,
  AuditRow,
  DeliveriesTable,
  RequestRow,
  ReviewRow,
  StagedRow,
} from '../schema.ts';
import { verifyAudit } from './verify-audit.ts';

const tables = [
  'requests',
  'audit',
  'audit_staged',
  'audit_nodes',
  'audit_checkpoints',
  'audit_cosignatures',
  'reviews',
  'deliveries',
] as const;

/** How many rows of each table were copied. */
export type Copied = Readonly<Record<(typeof tables)[number], number>>;

/** PostgreSQL takes 65,535 values in a statement; a request has 31. */
const pageLength = 1000;

/**
 * Copies an embedded store into an empty one on PostgreSQL, in one transaction that commits only after every row was
 * counted there and the record was verified there. Nobody can write to the destination meanwhile.
 * @throws BellhopError `configuration` where the destination has rows, or the copy does not verify
 */
export async function copyStore(source: Database, destination: Database): Promise<Copied> {
  const expected = await source.read(counts);
  await destination.writeAlone(async (to) => {
    await sql`lock table ${sql.raw(tables.join(', '))}, audit_head in exclusive mode`.execute(to);
    await refuseRows(to);
    await copyRequests(source, to);
    await copyEntries(source, to);
    await copyStaged(source, to);
    await copyAuditHead(source, to);
    await copyTree(source, to);
    await copyReviews(source, to);
    await copyDeliveries(source, to);
    await copyNotices(source, to);
    await copyAlerts(source, to);
    await verify(to, expected);
  });
  return expected;
}

async function counts(queries: Queries): Promise<Copied> {
  const count = async (table: keyof Copied): Promise<number> => {
    const { rows } = await queries
      .selectFrom(table)
      .select((is) => is.fn.countAll().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  return {
    requests: await count('requests'),
    audit: await count('audit'),
    audit_staged: await count('audit_staged'),
    audit_nodes: await count('audit_nodes'),
    audit_checkpoints: await count('audit_checkpoints'),
    audit_cosignatures: await count('audit_cosignatures'),
    reviews: await count('reviews'),
    deliveries: await count('deliveries'),
  };
}

async function refuseRows(to: Queries): Promise<void> {
  const found = await counts(to);
  const filled = tables.filter((table) => found[table] > 0);
  if (filled.length === 0) return;
  throw new BellhopError(
    'configuration',
    `The database of DATABASE_URL is not empty: it has rows in ${filled.join(', ')}. Copy into a new database.`,
  );
}

/** Page by page, each after the last row of the one before. */
async function copyPages<R>(
  next: (last: R | undefined) => Promise<readonly R[]>,
  write: (rows: readonly R[]) => Promise<unknown>,
): Promise<void> {
  for (let rows = await next(undefined); rows.length > 0; rows = await next(rows.at(-1))) await write(rows);
}

const copyRequests = ({ read }: Database, to: Queries): Promise<void> =>
  copyPages<RequestRow>(
    (last) =>
      read((from) =>
        from
          .selectFrom('requests')
          .selectAll()
          .where('id', '>', last?.id ?? '')
          .orderBy('id')
          .limit(pageLength)
          .execute(),
      ),
    (rows) =>
      to
        .insertInto('requests')
        .values(rows.map(({ due_at: _generated, ...row }) => row))
        .execute(),
  );

const copyEntries = ({ read }: Database, to: Queries): Promise<void> =>
  copyPages<AuditRow>(
    (last) =>
      read((from) =>
        from
          .selectFrom('audit')
          .selectAll()
          .where('seq', '>', last?.seq ?? 0)
          .orderBy('seq')
          .limit(pageLength)
          .execute(),
      ),
    (rows) => to.insertInto('audit').values(rows).execute(),
  );

/** They keep their order, and get numbers of their own there. */
const copyStaged = ({ read }: Database, to: Queries): Promise<void> =>
  copyPages<StagedRow>(
    (last) =>
      read((from) =>
        from
          .selectFrom('audit_staged')
          .selectAll()
          .where('id', '>', last?.id ?? 0)
          .orderBy('id')
          .limit(pageLength)
          .execute(),
      ),
    (rows) =>
      to
        .insertInto('audit_staged')
        .values(rows.map(({ id: _generated, ...row }) => row))
        .execute(),
  );

async function copyAuditHead({ read }: Database, to: Queries): Promise<void> {
  const { id, ...head } = await read((from) =>
    from.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow(),
  );
  await to.updateTable('audit_head').set(head).where('id', '=', id).execute();
}

/** The tree over the entries, and what was signed of it. */
async function copyTree({ read }: Database, to: Queries): Promise<void> {
  await copyPages<Selectable<AuditNodesTable>>(
    (last) =>
      read((from) =>
        from
          .selectFrom('audit_nodes')
          .selectAll()
          .where(sql`(level, place)`, '>', sql`(${last?.level ?? -1}, ${last?.place ?? 0})`)
          .orderBy('level')
          .orderBy('place')
          .limit(pageLength)
          .execute(),
      ),
    (rows) => to.insertInto('audit_nodes').values(rows).execute(),
  );
  await copyPages<Selectable<AuditCheckpointsTable>>(
    (last) => read((from) => checkpointsFrom(from, last?.number ?? 0, pageLength)),
    (rows) => to.insertInto('audit_checkpoints').values(rows).execute(),
  );
  await copyPages<Selectable<AuditCosignaturesTable>>(
    (last) =>
      read((from) =>
        from
          .selectFrom('audit_cosignatures')
          .selectAll()
          .where(sql`(number, witness)`, '>', sql`(${last?.number ?? 0}, ${last?.witness ?? ''})`)
          .orderBy('number')
          .orderBy('witness')
          .limit(pageLength)
          .execute(),
      ),
    (rows) => to.insertInto('audit_cosignatures').values(rows).execute(),
  );
}

const copyReviews = ({ read }: Database, to: Queries): Promise<void> =>
  copyPages<ReviewRow>(
    (last) =>
      read((from) =>
        from
          .selectFrom('reviews')
          .selectAll()
          .where('request_id', '>', last?.request_id ?? '')
          .orderBy('request_id')
          .limit(pageLength)
          .execute(),
      ),
    (rows) => to.insertInto('reviews').values(rows).execute(),
  );

const copyDeliveries = ({ read }: Database, to: Queries): Promise<void> =>
  copyPages<Selectable<DeliveriesTable>>(
    (last) =>
      read((from) =>
        from
          .selectFrom('deliveries')
          .selectAll()
          .where('key', '>', last?.key ?? '')
          .orderBy('key')
          .limit(pageLength)
          .execute(),
      ),
    (rows) => to.insertInto('deliveries').values(rows).execute(),
  );

/** What is still to be told, and looked at for that, is little: rows go once it was. */
async function copyNotices({ read }: Database, to: Queries): Promise<void> {
  const most = 10 * pageLength;
  const notices = await read((from) => from.selectFrom('notices').selectAll().limit(most).execute());
  if (notices.length > 0) await to.insertInto('notices').values(notices).execute();
  const watches = await read((from) => from.selectFrom('watches').selectAll().limit(most).execute());
  if (watches.length > 0) await to.insertInto('watches').values(watches).execute();
}

/** A message before its groups; what was folded into it goes by its id. */
async function copyAlerts({ read }: Database, to: Queries): Promise<void> {
  for (const table of ['alert_messages', 'alert_groups'] as const) {
    let last = '';
    for (;;) {
      const rows = await read((from) =>
        from.selectFrom(table).selectAll().where('id', '>', last).orderBy('id').limit(pageLength).execute(),
      );
      if (rows.length === 0) break;
      await to.insertInto(table).values(rows).execute();
      last = rows.at(-1)?.id ?? last;
    }
  }
}

async function verify(to: Queries, expected: Copied): Promise<void> {
  const found = await counts(to);
  const missing = tables.find((table) => found[table] !== expected[table]);
  if (missing) {
    throw notCopied(`${found[missing]} of ${expected[missing]} rows of ${missing} arrived`);
  }
  const verdict = await verifyAudit({
    leavesFrom: (number, limit) => leavesFrom(to, number, limit),
    checkpointsFrom: (number, limit) => checkpointsFrom(to, number, limit),
    newestCheckpoint: () => newestCheckpoint(to),
  });
  if (!verdict.intact) throw notCopied(`the record does not verify: ${verdict.why}`);
}

const notCopied = (why: string): BellhopError =>
  new BellhopError('configuration', `Nothing was copied: ${why}. The embedded store is as it was.`);
