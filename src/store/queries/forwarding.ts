import type { Forwarding, Forwardings } from '../../model/records/audit.ts';
import type { Database, Queries } from '../database/database.ts';
import { setDue } from './due.ts';
import { textOrNull } from './parse-row.ts';
import { lockHead } from './seal.ts';

export const forwardingsOn = (database: Database): Forwardings => ({
  findForwarding: (destination) => database.read((queries) => findForwarding(queries, destination)),
  beginForwarding: (destination, after, now) =>
    database.writeAlone((queries) => beginForwarding(queries, database, destination, after, now)),
  moveForwarding: (destination, from, { sent, problem }) =>
    database.note(async (queries) => {
      const { numUpdatedRows } = await queries
        .updateTable('audit_forwarding')
        .set({ sent, problem: textOrNull(problem) })
        .where('destination', '=', destination)
        // If `sent` no longer matches, the cursor has moved in the meantime.
        .where('sent', '=', from)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    }),
});

async function findForwarding(queries: Queries, destination: string): Promise<Forwarding | undefined> {
  const row = await queries
    .selectFrom(['audit_forwarding as forwarding', 'audit_head as head'])
    .select((is) => [
      'forwarding.sent',
      'forwarding.problem',
      'head.seq as newest',
      is
        .selectFrom('audit')
        .select('at')
        .whereRef('seq', '>', 'forwarding.sent')
        .orderBy('seq')
        .limit(1)
        .as('oldest_at'),
    ])
    .where('destination', '=', destination)
    .executeTakeFirst();
  return (
    row && {
      sent: row.sent,
      newest: row.newest,
      oldestAt: row.oldest_at ?? undefined,
      problem: row.problem ?? undefined,
    }
  );
}

/** Schedules the remaining entries, and resolves to whether forwarding starts here. */
async function beginForwarding(
  queries: Queries,
  clock: Pick<Database, 'sharedNow'>,
  destination: string,
  after: number | 'newest',
  now: number,
): Promise<boolean> {
  // While the lock is held, no entry can be sealed, which would make a newer version due.
  const { seq } = await lockHead(queries);
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('audit_forwarding')
    .values({ destination, sent: after === 'newest' ? seq : after })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  await setDue(queries, clock, now, [
    { kind: 'forward', key: destination, version: seq, at: now, keepsTime: true },
  ]);
  return numInsertedOrUpdatedRows === 1n;
}
