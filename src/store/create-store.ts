import type { Store } from '../core/ports.ts';
import { appendEntries, auditPage, currentHead, keptFrom } from './audit-queries.ts';
import { claimCards, failCard, showCard } from './card-queries.ts';
import type { Database } from './database.ts';
import {
  claimLeft,
  closeDeliveries,
  forgetDeliveries,
  holdDeliveries,
  rememberDelivery,
} from './delivery-queries.ts';
import {
  advanceRequest,
  dueRequests,
  findRequest,
  insertProposal,
  listRequests,
  moveLease,
  OpenConflict,
} from './request-queries.ts';
import { noticeRefusals } from './notice-refusals.ts';
import { removeSettledRequests } from './retention-queries.ts';
import { countWaiting } from './tally-queries.ts';
import { NotAdmitted, startedSince } from './start-queries.ts';
import { claimReviews, closeReview, findReview, openReviews, reviewTold } from './review-queries.ts';

/** After so many new deliveries, twice as many old ones are removed: they never pile up, and no one waits long. */
const forgetEvery = 64;

/** The store of core's port, on either database. */
export function createStore(database: Database): Store {
  const { read, write, note, ping, close } = noticeRefusals(database);
  let deliveries = 0;
  return {
    async propose(proposal) {
      try {
        await write((queries) => insertProposal(queries, proposal));
        return {};
      } catch (error) {
        if (error instanceof OpenConflict) return { conflict: error.open };
        throw error;
      }
    },
    find: (id) => read((queries) => findRequest(queries, id)),
    async advance(step) {
      try {
        return await write((queries) => advanceRequest(queries, step));
      } catch (error) {
        if (error instanceof NotAdmitted) return undefined;
        throw error;
      }
    },
    renewLease: (id, version, leaseUntil) => note((queries) => moveLease(queries, id, version, leaseUntil)),
    list: (filter) => read((queries) => listRequests(queries, filter)),
    due: (now, limit) => read((queries) => dueRequests(queries, now, limit)),

    record: (drafts) => write((queries) => appendEntries(queries, drafts)),
    audit: (filter) => read((queries) => auditPage(queries, filter)),
    auditFrom: async (seq, limit) => {
      const kept = await read((queries) => keptFrom(queries, seq, limit));
      return kept.map(({ entry }) => entry);
    },
    keptFrom: (seq, limit) => read((queries) => keptFrom(queries, seq, limit)),
    auditHead: () => read(currentHead),

    startedSince: (since) => read((queries) => startedSince(queries, since)),

    findReview: (requestId) => read((queries) => findReview(queries, requestId)),
    openReviews: (limit) => read((queries) => openReviews(queries, limit)),
    closeReview: (closing) => write((queries) => closeReview(queries, closing)),
    claimReviews: (now, claimMs, limit) => note((queries) => claimReviews(queries, now, claimMs, limit)),
    reviewTold: (told, message, againAt) => write((queries) => reviewTold(queries, told, message, againAt)),

    async firstDelivery(key, now, keepMs, held) {
      const first = await note((queries) => rememberDelivery(queries, key, now, keepMs, held));
      deliveries += 1;
      if (deliveries % forgetEvery === 0) {
        await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
      }
      return first;
    },
    holdDeliveries: (keys, until) => note((queries) => holdDeliveries(queries, keys, until)),
    closeDeliveries: (keys) => note((queries) => closeDeliveries(queries, keys)),
    claimLeftDeliveries: (now, claimMs, limit) => note((queries) => claimLeft(queries, now, claimMs, limit)),

    claimStaleCards: (now, claimMs, limit) => note((queries) => claimCards(queries, now, claimMs, limit)),
    cardShown: (id, version, shown) => note((queries) => showCard(queries, id, version, shown)),
    cardFailed: (id, retryAt) => note((queries) => failCard(queries, id, retryAt)),

    removeSettled: (olderThan, limit) => write((queries) => removeSettledRequests(queries, olderThan, limit)),

    tally: () => read(countWaiting),

    ping,
    close,
  };
}
