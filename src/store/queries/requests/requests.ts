import type { Requests } from '../../../model/requests.ts';
import type { Database } from '../../database/database.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import type { History } from './history.ts';
import { listRequests } from './lists.ts';
import { insertProposal, ProposalConflict } from './proposals.ts';
import { requestFromRow } from './request-row.ts';
import { findStarts, NotAdmitted } from './starts.ts';
import { advanceRequest, lockRequest, moveLease } from './steps.ts';

export const requestsOn = (database: Database, rows: RowReader, history: History): Requests => ({
  soleProcess: database.locked,
  async propose(proposal) {
    try {
      const proposed = await database.write((queries) => insertProposal(queries, database, proposal));
      history.stepped(proposal.request, proposal.at);
      return proposed;
    } catch (error) {
      if (error instanceof ProposalConflict) return { conflict: error.other };
      throw error;
    }
  },
  async advance(step) {
    const starts = step.to === 'running' && step.from !== 'running';
    try {
      const row = await database.write(async (queries) => {
        const after = await advanceRequest(queries, database, rows, step);
        if (after && starts) await history.refuseSetBack(queries, step.at);
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
  list: (filter) => database.read((queries) => listRequests(queries, rows, filter)),
  started: (of) => database.read((queries) => findStarts(queries, rows, of)),
});
