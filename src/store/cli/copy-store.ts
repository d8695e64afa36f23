import { sql } from 'kysely';

import type { After } from '../../model/after.ts';
import type { StoredCheckpoint } from '../../model/records/sealed-log.ts';
import { badConfiguration, type BellhopError, type UnreadableRow } from '../../model/values/errors.ts';
import type { Database, Queries } from '../database/database.ts';
import { endSetBack } from '../queries/requests/history.ts';
import { createRowReader } from '../queries/parse-row.ts';
import { newestCheckpoint, sealedLogReads } from '../queries/sealed-log.ts';
import { columnsOf, keyOf, type Schema, tables } from '../database/schema.ts';
import { verifyAudit } from '../../audit/verify/verify-audit.ts';

type Table = keyof Schema;

/** Their rows exist in both stores already. The only row of `audit_head` is updated. */
const given: ReadonlySet<string> = new Set(['audit_head', 'schema_version', 'store_home'] satisfies Table[]);

const isTable = (name: string): name is Table => Object.hasOwn(tables, name) && !given.has(name);
const tableNames: readonly Table[] = Object.keys(tables).filter(isTable);

export interface Copied {
  readonly rows: ReadonlyMap<Table, number>;
  /** The newest copied. Undefined if nothing was sealed yet. */
  readonly checkpoint: StoredCheckpoint | undefined;
  readonly ended: number;
}

/** SQLite takes 32,766 values in a statement, and a request has 30. */
const pageLength = 1000;

type Row = Readonly<Record<string, unknown>>;

/**
 * Copies a store, as of one point in time, into an empty one on either database. Others may write to the source meanwhile. The only
 * transaction commits after every row was counted in the destination and its audit log verified.
 * @param restored an older state: its open requests may have run since, and end as unknown in the same transaction
 * @throws BellhopError `configuration` if the destination has rows, or the copy does not verify
 */
export const copyStore = (
  source: Database,
  destination: Database,
  restored?: { readonly at: number; readonly dueAfter: After },
): Promise<Copied> =>
  source.snapshot((from) =>
    destination.writeAlone(async (to) => {
      if (destination.dialect === 'postgres') await holdAlone(to);
      await refuseRows(to);
      const rows = new Map<Table, number>();
      for (const table of tableNames) rows.set(table, await copyTable(table, from, to));
      await copyAuditHead(from, to);
      await verifyCopy(to, rows);
      const checkpoint = await newestCheckpoint(to);
      if (!restored) return { rows, checkpoint, ended: 0 };
      const { at, dueAfter } = restored;
      const ports = { clock: destination, rows: createRowReader(refuseUnreadable), dueAfter };
      const { ended } = await endSetBack(destination, to, ports, { sign: 'restored', at });
      return { rows, checkpoint, ended: ended.length };
    }),
  );

/** An unreadable open request can't be ended, so the copy is refused. */
function refuseUnreadable(row: UnreadableRow): never {
  throw notCopied(row.message);
}

/** Verification may outlast the idle timeout, so that is off. */
async function holdAlone(to: Queries): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(to);
  await sql`lock table ${sql.raw(tableNames.join(', '))}, audit_head in exclusive mode`.execute(to);
}

async function refuseRows(to: Queries): Promise<void> {
  const filled: Table[] = [];
  for (const table of tableNames) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(to);
    if (rows.length > 0) filled.push(table);
  }
  if (filled.length === 0) return;
  throw badConfiguration(
    `The destination is not empty: it has rows in ${filled.join(', ')}. Use a new database, or an empty data directory.`,
  );
}

async function copyTable(table: Table, from: Queries, to: Queries): Promise<number> {
  const key = keyOf(table);
  const generated = columnsOf(table).find(([, kind]) => kind === 'serial')?.[0];
  let copied = 0;
  for (let last: Row | undefined; ;) {
    const rows = await pageAfter(from, table, key, last);
    last = rows.at(-1);
    if (last === undefined) return copied;
    const columns = Object.keys(last).filter((column) => column !== generated);
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => whole(row[column])))})`);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(to);
    copied += rows.length;
  }
}

/** Older versions wrote fractions of milliseconds, which PostgreSQL refuses. */
const whole = (value: unknown): unknown => (typeof value === 'number' ? Math.ceil(value) : value);

async function pageAfter(
  from: Queries,
  table: Table,
  key: readonly string[],
  last: Row | undefined,
): Promise<readonly Row[]> {
  const by = sql.join(key.map((column) => sql.ref(column)));
  const after = last && sql`where (${by}) > (${sql.join(key.map((column) => last[column]))})`;
  const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after ?? sql``}
    order by ${by} limit ${sql.lit(pageLength)}`.execute(from);
  return rows;
}

async function copyAuditHead(from: Queries, to: Queries): Promise<void> {
  const { id, ...head } = await from.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();
  await to.updateTable('audit_head').set(head).where('id', '=', id).execute();
}

async function verifyCopy(to: Queries, expected: Copied['rows']): Promise<void> {
  for (const [table, count] of expected) {
    const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(table)}`.execute(
      to,
    );
    const found = Number(rows[0]?.found);
    if (found !== count) throw notCopied(`${found} of ${count} rows of ${table} arrived`);
  }
  const verdict = await verifyAudit(sealedLogReads((work) => work(to)));
  if (!verdict.intact) throw notCopied(`the audit log does not verify: ${verdict.why}`);
}

const notCopied = (why: string): BellhopError =>
  badConfiguration(`Nothing was copied: ${why}. The source is unchanged.`);
