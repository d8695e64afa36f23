import type { Store } from '../core/model/ports.ts';
import { appendEntries, auditPage, currentHead, keptFrom } from './queries/audit.ts';
import { claimCards, failCard, showCard } from './queries/cards.ts';
import type { Database } from './database.ts';
import {
  claimOrphaned,
  closeDeliveries,
  forgetDeliveries,
  holdDeliveries,
  rememberDelivery,
} from './queries/inbox.ts';
import {
  advanceRequest,
  dueRequests,
  findRequest,
  insertProposal,
  listRequests,
  moveLease,
  OpenConflict,
} from './queries/requests.ts';
import { createRowReader, type UnreadableRow } from './queries/parse-row.ts';
import { trackWriteHealth } from './write-health.ts';
import { removeSettledRequests } from './queries/retention.ts';
import { countWaiting } from './queries/tally.ts';
import { NotAdmitted, startedSince } from './queries/starts.ts';
import { claimReviews, closeReview, findReview, openReviews, markAnnounced } from './queries/reviews.ts';

/** After so many new deliveries, twice as many old ones are removed: they never pile up, and no one waits long. */
const forgetEvery = 64;

/**
 * The store of core's port, on either database.
 * @param onUnreadable told of each row that a list leaves out because it cannot be read, each time
 */
export function createStore(
  database: Database,
  onUnreadable: (row: UnreadableRow) => void = () => undefined,
): Store {
  const rows = createRowReader(onUnreadable);
  const { read, write, note, ping, close } = trackWriteHealth(database);
  return {
    soleProcess: database.locked,
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
        return await write((queries) => advanceRequest(queries, rows, step));
      } catch (error) {
        if (error instanceof NotAdmitted) return undefined;
        throw error;
      }
    },
    renewLease: (id, version, leaseUntil) => note((queries) => moveLease(queries, id, version, leaseUntil)),
    list: (filter) => read((queries) => listRequests(queries, rows, filter)),
    due: (now, limit) => read((queries) => dueRequests(queries, rows, now, limit)),

    record: (drafts) => write((queries) => appendEntries(queries, drafts)),
    audit: (filter) => read((queries) => auditPage(queries, rows, filter)),
    auditFrom: async (seq, limit) => {
      const kept = await read((queries) => keptFrom(queries, seq, limit));
      return kept.map(({ entry }) => entry);
    },
    keptFrom: (seq, limit) => read((queries) => keptFrom(queries, seq, limit)),
    auditHead: () => read(currentHead),

    startedSince: (since) => read((queries) => startedSince(queries, rows, since)),

    findReview: (requestId) => read((queries) => findReview(queries, requestId)),
    openReviews: (limit) => read((queries) => openReviews(queries, rows, limit)),
    closeReview: (closing) => write((queries) => closeReview(queries, closing)),
    claimReviews: (now, claimMs, limit) =>
      note((queries) => claimReviews(queries, rows, now, claimMs, limit)),
    markReviewAnnounced: (told, message, again) => write((to) => markAnnounced(to, told, message, again)),

    claimOnce: deliveryMemory(note),
    holdDeliveries: (keys, until) =>
      inBatches(keys, (batch) => note((to) => holdDeliveries(to, batch, until))),
    closeDeliveries: (keys) => inBatches(keys, (batch) => note((to) => closeDeliveries(to, batch))),
    claimOrphanedDeliveries: (now, claimMs, limit) =>
      note((queries) => claimOrphaned(queries, rows, now, claimMs, limit)),

    claimStaleCards: (now, claimMs, limit) =>
      note((queries) => claimCards(queries, rows, now, claimMs, limit)),
    markCardShown: (id, version, shown) => note((queries) => showCard(queries, id, version, shown)),
    markCardFailed: (id, retryAt) => note((queries) => failCard(queries, id, retryAt)),

    removeSettled: (olderThan, limit) => write((queries) => removeSettledRequests(queries, olderThan, limit)),

    tally: () => read(countWaiting),

    ping,
    close,
  };
}

/** Keys that go into one statement: PostgreSQL takes 65,535 values, and nobody waits long behind it. */
const keysAtOnce = 500;

/** Where one batch fails, those before it stand: what is done to a key can be done again. */
async function inBatches(
  keys: readonly string[],
  work: (batch: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < keys.length; at += keysAtOnce) await work(keys.slice(at, at + keysAtOnce));
}

function deliveryMemory(note: Database['note']): Store['claimOnce'] {
  let deliveries = 0;
  return async (key, now, keepMs, held) => {
    const first = await note((queries) => rememberDelivery(queries, key, now, keepMs, held));
    deliveries += 1;
    if (deliveries % forgetEvery === 0) {
      await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
    }
    return first;
  };
}
