import { sql } from 'kysely';

import {
  type Outbox,
  type Proposed,
  type Requests,
  reviewKind,
  type Reviews,
} from '../../../model/records/requests.ts';
import type { Database, Queries } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { together } from '../../database/together.ts';
import { type RowReader, jsonReader, parseRow, sanitizeText } from '../parse-row.ts';
import type { History } from './history.ts';
import { findStarts, listRequests } from './lists.ts';
import { reconsider } from './reconsider.ts';
import { requestFromRow } from './request-row.ts';
import {
  advanceRequest,
  insertAlone,
  insertProposal,
  lockRequest,
  moveLease,
  NotAdmitted,
  ProposalConflict,
  type StepPorts,
} from './steps.ts';
import { entryArms } from '../audit.ts';
import { dueArms, finishArms } from '../due.ts';
import { messageRef } from '../../../model/values/actor.ts';

export const requestsOn = (database: Database, ports: StepPorts, history: History): Requests => ({
  soleProcess: database.locked,
  async propose(proposal) {
    const { request, supersedes, turn, ends, at } = proposal;
    try {
      const isAlone = !supersedes && !turn && !ends;
      const alone = isAlone && (await database.step((queries) => insertAlone(queries, ports, proposal)));
      const proposed: Proposed = alone
        ? alone
        : await database.write(async (queries) => {
            const only = turn && (await history.ifIntact(turn.before, at));
            return insertProposal(queries, ports, proposal, only);
          });
      proposal.closes?.closed();
      if (proposed.superseded) history.stepped(proposed.superseded, at);
      history.stepped(request, at);
      return proposed;
    } catch (error) {
      if (!(error instanceof ProposalConflict)) throw error;
      if (turn) await history.refuseSetBack(at);
      return { conflict: error.other };
    }
  },
  async advance(step) {
    const { before, to, at, check, replaces } = step;
    const starts = to === 'running' && before.state !== 'running';
    // A check of other rows, or the step of another request, can still undo this step.
    const isSingle = !replaces && (check?.of.length ?? 0) === 0;
    const take = async (queries: Queries) => {
      const only = starts ? await history.ifIntact(before, at) : undefined;
      return advanceRequest(queries, ports, step, only);
    };
    const row = await (isSingle ? database.step(take) : database.write(take)).catch((error: unknown) => {
      if (error instanceof NotAdmitted) return undefined;
      throw error;
    });
    if (row) step.closes?.closed();
    if (row) history.stepped(row, at);
    else if (starts) await history.refuseSetBack(at);
    return row;
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
  reconsider: (meets, now, around) =>
    database.writeAlone((queries) => reconsider(queries, ports, { meets, around }, now)),
  started: (of) => database.read((queries) => findStarts(queries, ports.rows, of)),
});

export const reviewsOn = (
  { read, note, step, dialect, sharedNow }: Database,
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
    step(async (queries) => {
      const clock = { dialect, sharedNow };
      const id = sanitizeText(requestId);
      const row = await together(
        queries,
        clock,
        sql<RequestRow>`update requests set review_closed = ${sanitizeText(JSON.stringify({ by, at, word }))}
  where id = ${id} and review is not null and review_closed is null returning *`,
        [
          // The review is sent even if the notice that it is open has not been sent yet.
          ...dueArms(clock, at, [{ kind: reviewKind, key: id, version: 2, at }]),
          ...entryArms(clock, audit),
        ],
      );
      return row && requestFromRow(row);
    }),
  keepAnnouncement: (requestId, message) =>
    note(async (queries) => {
      const text = JSON.stringify(message);
      await sql`update requests set review_message = ${text} where id = ${sanitizeText(requestId)}`.execute(
        queries,
      );
    }),
});

export const cardsOn = (database: Database): Pick<Outbox, 'findCard' | 'markCardShown'> => ({
  findCard: (id) =>
    database.read(async (queries) => {
      const row = await queries
        .selectFrom('requests')
        .select(['id', 'card'])
        .where('id', '=', sanitizeText(id))
        .executeTakeFirst();
      const card = row && jsonReader('requests', row.id)('card', row.card);
      return card === undefined ? undefined : parseRow('requests', id, messageRef, card);
    }),
  // An older version never hides a newer one.
  markCardShown: (id, version, shown, finished) =>
    database.note(async (queries) => {
      const marked = await together(
        queries,
        database,
        sql<object>`update requests set card = ${JSON.stringify(shown)}, card_shown_version = ${version}
  where id = ${sanitizeText(id)} and card_shown_version <= ${version} returning id`,
        finished ? finishArms(database, finished.due, finished.outcome, finished.now) : [],
      );
      return marked !== undefined;
    }),
});
