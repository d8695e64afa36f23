import type { Alerts } from '../model/alert.ts';
import type { AuditLog, Forwardings } from '../model/audit.ts';
import type { Cosignatures, SealedLog } from '../model/sealed-log.ts';
import { BellhopError } from '../model/errors.ts';
import type { Requests, Reviews } from '../model/requests.ts';
import type { AlertOutbox, Inbox, Outbox } from '../model/outbox.ts';
import type { Store, StoreOptions } from './store.ts';
import type { Sealing } from '../audit/seal.ts';
import {
  claimAlertMessages,
  failAlertMessage,
  findAlertMessage,
  readMessages,
  removeAlerts,
  showAlertMessage,
} from './queries/alert-outbox.ts';
import { foldAlerts } from './queries/alerts.ts';
import { auditFrom, auditPage, stageEntries } from './queries/audit.ts';
import { claimCards, failCard, findCard, showCard } from './queries/requests/outbox.ts';
import { beginForwarding, claimForwarding, findForwarding, moveForwarding } from './queries/forwarding.ts';
import type { Database } from './database/database.ts';
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
  lockRequest,
  moveLease,
  ProposalConflict,
} from './queries/requests/requests.ts';
import { createRowReader, type RowReader } from './queries/parse-row.ts';
import { countWaiting, removeSettledRequests, serverTime } from './queries/housekeeping.ts';
import { createHistory, type History } from './history.ts';
import { mayRewrite } from './postgres/privileges.ts';
import { adoptLog, anythingWaits, followLog, sealRound } from './queries/seal.ts';
import {
  checkpointsFrom,
  cosignaturesOf,
  keepCosignature,
  leavesFrom,
  newestCheckpoint,
  nodesFrom,
  readHashes,
  sealOf,
} from './queries/sealed-log.ts';
import { claimNotices, settleNotice } from './queries/requests/notices.ts';
import { claimWatches, endWatch, moveWatch } from './queries/requests/watches.ts';
import { NotAdmitted, startedSince } from './queries/requests/starts.ts';
import {
  claimReviews,
  closeReview,
  findReview,
  openReviews,
  markAnnounced,
} from './queries/requests/reviews.ts';

/** The store on either database. */
export function createStore(
  database: Database,
  { onUnreadable = () => undefined, sealed = 0 }: Pick<StoreOptions, 'onUnreadable' | 'sealed'> = {},
): Store {
  const rows = createRowReader(onUnreadable);
  const watched = trackWriteHealth(database);
  const history = createHistory(watched, rows, sealed);
  return {
    ...requestsOn(watched, rows, history),
    ...auditLogOn(watched, rows),
    ...sealedLogOn(watched, history),
    ...forwardingsOn(watched),
    ...reviewsOn(watched, rows),
    ...inboxOn(watched, rows),
    ...outboxOn(watched, rows),
    ...alertsOn(watched, rows),
    removeSettled: (olderThan, limit) =>
      watched.write((queries) => removeSettledRequests(queries, olderThan, limit)),
    tally: () => watched.read(countWaiting),
    ping: watched.ping,
    serverTime: () =>
      watched.dialect === 'postgres' ? watched.read(serverTime) : Promise.resolve(undefined),
    close: watched.close,
  };
}

const requestsOn = (database: Database, rows: RowReader, history: History): Requests => ({
  ...stepsOn(database, rows, history),
  ...watchesOn(database),
  soleProcess: database.locked,
  find: (id) => database.read((queries) => findRequest(queries, id)),
  findCommitted: (id) => database.note((queries) => lockRequest(queries, id)),
  list: (filter) => database.read((queries) => listRequests(queries, rows, filter)),
  due: (now, limit) => database.read((queries) => dueRequests(queries, rows, database.sharedNow(now), limit)),
  startedSince: (since) => database.read((queries) => startedSince(queries, rows, since)),
});

const stepsOn = (
  database: Database,
  rows: RowReader,
  history: History,
): Pick<Requests, 'propose' | 'advance' | 'renewLease' | 'endIfSetBack'> => ({
  async propose(proposal) {
    try {
      await database.write((queries) => insertProposal(queries, database, proposal));
      history.stepped(proposal.request, proposal.at);
      return {};
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
  renewLease: (id, runner, leaseMs, now) =>
    database.note((queries) => moveLease(queries, id, runner, leaseMs, database.sharedNow(now))),
  endIfSetBack: history.endIfSetBack,
});

const watchesOn = ({ note, write }: Database): Pick<Requests, 'claimWatches' | 'moveWatch' | 'endWatch'> => ({
  claimWatches: (now, claimMs, limit) => note((queries) => claimWatches(queries, now, claimMs, limit)),
  moveWatch: (watch) => note((queries) => moveWatch(queries, watch)),
  endWatch: (requestId, notices) => write((queries) => endWatch(queries, requestId, notices)),
});

const auditLogOn = ({ read, write }: Database, rows: RowReader): AuditLog => ({
  record: (drafts) => write((queries) => stageEntries(queries, drafts)),
  audit: (filter) => read((queries) => auditPage(queries, rows, filter)),
  auditFrom: (seq, limit) => read((queries) => auditFrom(queries, seq, limit)),
});

const sealedLogOn = (
  { dialect, read, note, writeAlone }: Database,
  history: History,
): SealedLog & Sealing & Cosignatures => ({
  // Asked of what is committed, as mostly nothing waits: then nothing is written and nobody is held up.
  async seal(keys, now, last) {
    const round = (await read(anythingWaits))
      ? await writeAlone((queries) => sealRound(queries, keys, now, last))
      : await read((queries) => followLog(queries, keys, last));
    if (round) history.sealed(round.checkpoint.size);
    return round;
  },
  adopt: (keys, now, entry) => writeAlone((queries) => adoptLog(queries, keys, now, entry)),
  mayRewrite: () => (dialect === 'postgres' ? read(mayRewrite) : Promise.resolve(true)),
  newestCheckpoint: () => read(newestCheckpoint),
  sealOf: (request) => read((queries) => sealOf(queries, request)),
  checkpointsFrom: (number, limit) => read((queries) => checkpointsFrom(queries, number, limit)),
  leavesFrom: (number, limit) => read((queries) => leavesFrom(queries, number, limit)),
  nodesFrom: (after, limit) => read((queries) => nodesFrom(queries, after, limit)),
  readHashes: (level, first, count) => read((queries) => readHashes(queries, level, first, count)),
  keepCosignature: (cosignature) => note((queries) => keepCosignature(queries, cosignature)),
  cosignaturesOf: (size) => read((queries) => cosignaturesOf(queries, size)),
});

const forwardingsOn = ({ read, note }: Database): Forwardings => ({
  findForwarding: (destination) => read((queries) => findForwarding(queries, destination)),
  beginForwarding: (destination, after) => note((queries) => beginForwarding(queries, destination, after)),
  claimForwarding: (destination, now, claimMs) =>
    note((queries) => claimForwarding(queries, destination, now, claimMs)),
  moveForwarding: (destination, from, to) =>
    note((queries) => moveForwarding(queries, destination, from, to)),
});

const reviewsOn = ({ read, write }: Database, rows: RowReader): Reviews => ({
  findReview: (requestId) => read((queries) => findReview(queries, requestId)),
  openReviews: (limit) => read((queries) => openReviews(queries, rows, limit)),
  closeReview: (closing) => write((queries) => closeReview(queries, closing)),
});

/** After so many new deliveries, twice as many old ones are removed: they never pile up, and no one waits long. */
const forgetEvery = 64;

function inboxOn({ note }: Database, rows: RowReader): Inbox {
  let deliveries = 0;
  return {
    async claimOnce(key, now, keepMs, held) {
      const first = await note((queries) => rememberDelivery(queries, key, now, keepMs, held));
      deliveries += 1;
      if (deliveries % forgetEvery === 0) {
        await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
      }
      return first;
    },
    holdDeliveries: (keys, until) =>
      inBatches(keys, (batch) => note((queries) => holdDeliveries(queries, batch, until))),
    closeDeliveries: (keys) => inBatches(keys, (batch) => note((queries) => closeDeliveries(queries, batch))),
    claimOrphanedDeliveries: (now, claimMs, limit) =>
      note((queries) => claimOrphaned(queries, rows, now, claimMs, limit)),
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

const outboxOn = ({ read, write, note }: Database, rows: RowReader): Outbox => ({
  claimStaleCards: (now, claimMs, limit) => note((queries) => claimCards(queries, rows, now, claimMs, limit)),
  findCard: (id) => read((queries) => findCard(queries, id)),
  markCardShown: (id, version, shown) => note((queries) => showCard(queries, id, version, shown)),
  markCardFailed: (id, retryAt) => note((queries) => failCard(queries, id, retryAt)),
  claimNotices: (now, claimMs, limit) => note((queries) => claimNotices(queries, rows, now, claimMs, limit)),
  settleNotice: (told, againAt) => note((queries) => settleNotice(queries, told, againAt)),
  claimReviews: (now, claimMs, limit) => note((queries) => claimReviews(queries, rows, now, claimMs, limit)),
  markReviewAnnounced: (announced, message, againAt) =>
    write((queries) => markAnnounced(queries, announced, message, againAt)),
});

const alertsOn = (
  { read, writeInTurn, note }: Database,
  rows: RowReader,
): Alerts & AlertOutbox & Pick<Store, 'removeAlerts'> => ({
  foldAlerts: (received) => writeInTurn(received.hook, (queries) => foldAlerts(queries, received)),
  findAlertMessage: (id) => read((queries) => findAlertMessage(queries, rows, id)),
  async claimAlertMessages(now, claimMs, limit) {
    const claimed = await note((queries) => claimAlertMessages(queries, now, claimMs, limit));
    return read((queries) => readMessages(queries, rows, claimed));
  },
  markAlertShown: (message, shown, againAt) =>
    note((queries) => showAlertMessage(queries, message, shown, againAt)),
  markAlertFailed: (id, retryAt) => note((queries) => failAlertMessage(queries, id, retryAt)),
  removeAlerts: (olderThan, limit) => writeInTurn('', (queries) => removeAlerts(queries, olderThan, limit)),
});

/** A database that remembers whether it takes changes: one whose disk is full can still be read. */
interface WatchedDatabase extends Database {
  /** Reads; after a refused change, also writes something of no consequence and tries for room. Rejects where any of it fails. */
  readonly ping: () => Promise<void>;
}

function trackWriteHealth(database: Database): WatchedDatabase {
  let refusals = 0;
  let overcome = 0;
  const noticing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BellhopError && error.code === 'store-unavailable') refusals += 1;
      throw error;
    }
  };
  return {
    ...database,
    write: (work) => noticing(database.write(work)),
    writeAlone: (work) => noticing(database.writeAlone(work)),
    note: (work) => noticing(database.note(work)),
    writeInTurn: (turn, work) => noticing(database.writeInTurn(turn, work)),
    async ping() {
      await database.read(newestCheckpoint);
      // One that is refused meanwhile counts for the next time.
      const seen = refusals;
      if (overcome === seen) return;
      // Its life is over at once, so it is written anew each time. That others succeed proves nothing: many change no row.
      await database.note((queries) => rememberDelivery(queries, 'a try to write', 0, 0));
      await database.tryRoom();
      overcome = seen;
    },
  };
}
