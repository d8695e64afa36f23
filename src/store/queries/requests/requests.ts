import { sql } from 'kysely';

import { type Outbox, type Requests, reviewKind, type Reviews } from '../../../model/records/requests.ts';
import type { Database } from '../../database/database.ts';
import { type RowReader, jsonReader, parseRow, sanitizeText } from '../parse-row.ts';
import type { History } from './history.ts';
import { findStarts, listRequests } from './lists.ts';
import { reconsider } from './reconsider.ts';
import { requestFromRow } from './request-row.ts';
import {
  advanceRequest,
  insertProposal,
  lockRequest,
  moveLease,
  NotAdmitted,
  ProposalConflict,
  type StepPorts,
} from './steps.ts';
import { stageEntries } from '../audit.ts';
import { setDue } from '../due.ts';
import { messageRef } from '../../../model/values/actor.ts';

export const requestsOn = (database: Database, ports: StepPorts, history: History): Requests => ({
  soleProcess: database.locked,
  async propose(proposal) {
    try {
      const { request, turn, at } = proposal;
      const proposed = await database.write(async (queries) => {
        const inserted = await insertProposal(queries, ports, proposal);
        if (turn) await history.refuseSetBack(queries, turn.before, at);
        return inserted;
      });
      if (proposed.superseded) history.stepped(proposed.superseded, at);
      history.stepped(request, at);
      return proposed;
    } catch (error) {
      if (error instanceof ProposalConflict) return { conflict: error.other };
      throw error;
    }
  },
  async advance(step) {
    const starts = step.to === 'running' && step.before.state !== 'running';
    try {
      const row = await database.write(async (queries) => {
        const after = await advanceRequest(queries, ports, step);
        if (after && starts) await history.refuseSetBack(queries, step.before, step.at);
        return after;
      });
      if (row) history.stepped(row, step.at);
      return row;
    } catch (error) {
      if (error instanceof NotAdmitted) return undefined;
      throw error;
    }
  },
  endIfSetBack: history.endIfSetBack,
  renewLease: (id, runner, leaseMs, now) =>
    database.note((queries) => moveLease(queries, id, runner, leaseMs, database.sharedNow(now))),
  find: (id) =>
    database.read(async (queries) => {
      const query = queries.selectFrom('requests').selectAll().where('id', '=', sanitizeText(id));
      const row = await query.executeTakeFirst();
      return row && requestFromRow(row);
    }),
  findCommitted: (id) => database.note((queries) => lockRequest(queries, id)),
  list: (filter) => database.read((queries) => listRequests(queries, ports.rows, filter)),
  reconsider: (meets, now) => database.writeAlone((queries) => reconsider(queries, ports, meets, now)),
  started: (of) => database.read((queries) => findStarts(queries, ports.rows, of)),
});

export const reviewsOn = (
  { read, note, write, sharedNow }: Database,
  rows: RowReader,
): Reviews & Pick<Outbox, 'keepAnnouncement'> => ({
  openReviews: (limit) =>
    read(async (queries) => {
      const open = await queries
        .selectFrom('requests')
        .selectAll()
        .where('review', 'is not', null)
        .where('review_closed', 'is', null)
        .orderBy('started_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows(open, requestFromRow);
    }),
  closeReview: ({ requestId, by, at, word, audit }) =>
    write(async (queries) => {
      const row = await queries
        .updateTable('requests')
        .set({ review_closed: sanitizeText(JSON.stringify({ by, at, word })) })
        .where('id', '=', sanitizeText(requestId))
        .where('review', 'is not', null)
        .where('review_closed', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      // The review is sent even if the notice that the review is open has not been sent yet.
      await setDue(queries, { sharedNow }, at, [{ kind: reviewKind, key: row.id, version: 2, at }]);
      await stageEntries(queries, audit);
      return requestFromRow(row);
    }),
  keepAnnouncement: (requestId, message) =>
    note(async (queries) => {
      const text = JSON.stringify(message);
      await sql`update requests set review_message = ${text} where id = ${sanitizeText(requestId)}`.execute(
        queries,
      );
    }),
});

export const cardsOn = ({ read, note }: Database): Pick<Outbox, 'findCard' | 'markCardShown'> => ({
  findCard: (id) =>
    read(async (queries) => {
      const row = await queries
        .selectFrom('requests')
        .select(['id', 'card'])
        .where('id', '=', sanitizeText(id))
        .executeTakeFirst();
      const card = row && jsonReader('requests', row.id)('card', row.card);
      return card === undefined ? undefined : parseRow('requests', id, messageRef, card);
    }),
  // An older version never hides a newer one.
  markCardShown: (id, version, shown) =>
    note(async (queries) => {
      const { numAffectedRows } = await sql`
        update requests set card = ${JSON.stringify(shown)}, card_shown_version = ${version}
        where id = ${sanitizeText(id)} and card_shown_version <= ${version}`.execute(queries);
      return numAffectedRows === 1n;
    }),
});
