import { sql } from 'kysely';

import type { AuditHead } from '../../core/audit/audit.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { currentHead, keptFrom } from '../queries/audit.ts';
import type { Database, Queries } from '../database.ts';
import type { RequestRow } from '../schema.ts';
import { verifyAudit } from './verify-audit.ts';

/** How many rows of each table were copied, and where the record ends. */
export interface Copied {
  readonly requests: number;
  readonly audit: number;
  readonly reviews: number;
  readonly deliveries: number;
  readonly head: AuditHead;
}

type Counts = Omit<Copied, 'head'>;

const tables = ['requests', 'audit', 'reviews', 'deliveries'] as const;

/** PostgreSQL takes 65,535 values in a statement; a request has 31. */
const pageLength = 1000;

/**
 * Copies an embedded store into an empty one on PostgreSQL, in one transaction that commits only after every row was
 * counted there and the record was verified there. Nobody can write to the destination meanwhile.
 * @throws BellhopError `configuration` where the destination has rows, or the copy does not verify
 */
export async function copyStore(source: Database, destination: Database): Promise<Copied> {
  const head = await source.read(currentHead);
  const expected = await source.read(counts);
  await destination.writeAlone(async (to) => {
    await sql`lock table requests, audit, audit_head, reviews, deliveries in exclusive mode`.execute(to);
    await refuseRows(to);
    await copyRequests(source, to);
    await copyAudit(source, to);
    await copyReviews(source, to);
    await copyDeliveries(source, to);
    await copyNotices(source, to);
    await copyAlerts(source, to);
    await verify(to, expected, head);
  });
  return { ...expected, head };
}

async function counts(queries: Queries): Promise<Counts> {
  const [requests = 0, audit = 0, reviews = 0, deliveries = 0] = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await queries
        .selectFrom(table)
        .select((is) => is.fn.countAll().as('rows'))
        .executeTakeFirstOrThrow();
      return Number(rows);
    }),
  );
  return { requests, audit, reviews, deliveries };
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

async function copyRequests({ read }: Database, to: Queries): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await read((from) =>
      from
        .selectFrom('requests')
        .selectAll()
        .where('id', '>', last)
        .orderBy('id')
        .limit(pageLength)
        .execute(),
    );
    const written = rows.map(withoutGenerated);
    if (written.length === 0) return;
    await to.insertInto('requests').values(written).execute();
    last = written.at(-1)?.id ?? last;
  }
}

function withoutGenerated(row: RequestRow) {
  const { due_at: _generated, ...written } = row;
  return written;
}

async function copyAudit({ read }: Database, to: Queries): Promise<void> {
  let last = 0;
  for (;;) {
    const rows = await read((from) =>
      from.selectFrom('audit').selectAll().where('seq', '>', last).orderBy('seq').limit(pageLength).execute(),
    );
    if (rows.length === 0) break;
    await to.insertInto('audit').values(rows).execute();
    last = rows.at(-1)?.seq ?? last;
  }
  const { id, ...head } = await read((from) =>
    from.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow(),
  );
  await to.updateTable('audit_head').set(head).where('id', '=', id).execute();
}

async function copyReviews({ read }: Database, to: Queries): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await read((from) =>
      from
        .selectFrom('reviews')
        .selectAll()
        .where('request_id', '>', last)
        .orderBy('request_id')
        .limit(pageLength)
        .execute(),
    );
    if (rows.length === 0) return;
    await to.insertInto('reviews').values(rows).execute();
    last = rows.at(-1)?.request_id ?? last;
  }
}

async function copyDeliveries({ read }: Database, to: Queries): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await read((from) =>
      from
        .selectFrom('deliveries')
        .selectAll()
        .where('key', '>', last)
        .orderBy('key')
        .limit(pageLength)
        .execute(),
    );
    if (rows.length === 0) return;
    await to.insertInto('deliveries').values(rows).execute();
    last = rows.at(-1)?.key ?? last;
  }
}

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

async function verify(to: Queries, expected: Counts, head: AuditHead): Promise<void> {
  const found = await counts(to);
  const missing = tables.find((table) => found[table] !== expected[table]);
  if (missing) {
    throw notCopied(`${found[missing]} of ${expected[missing]} rows of ${missing} arrived`);
  }
  const record = {
    keptFrom: (seq: number, limit: number) => keptFrom(to, seq, limit),
    auditHead: () => currentHead(to),
  };
  const verdict = await verifyAudit(record, head);
  if (!verdict.intact) throw notCopied(`the record does not verify: ${verdict.why}`);
}

const notCopied = (why: string): BellhopError =>
  new BellhopError('configuration', `Nothing was copied: ${why}. The embedded store is as it was.`);
