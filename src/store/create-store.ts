import type { Alerts } from '../model/alert.ts';
import type { AuditLog, Forwardings } from '../model/audit.ts';
import type { Cosignatures, SealedLog } from '../model/sealed-log.ts';
import { BellhopError } from '../model/errors.ts';
import type { DueWork } from '../model/due.ts';
import type { Requests, Reviews } from '../model/requests.ts';
import type { AlertOutbox, Inbox, Outbox } from '../model/outbox.ts';
import type { Store, StoreOptions } from './store.ts';
import type { Sealing } from '../audit/seal.ts';
import { findAlertMessage, removeAlerts, showAlertMessage } from './queries/alert-outbox.ts';
import { foldAlerts } from './queries/alerts.ts';
import { auditFrom, auditPage, stageEntries } from './queries/audit.ts';
import { findCard, showCard } from './queries/requests/outbox.ts';
import { claimDue, setDue, settleDue } from './queries/due.ts';
import { beginForwarding, findForwarding, moveForwarding } from './queries/forwarding.ts';
import type { Database } from './database/database.ts';
import { closeDeliveries, forgetDeliveries, holdDeliveries, rememberDelivery } from './queries/inbox.ts';
import {
  advanceRequest,
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
import { NotAdmitted, startedSince } from './queries/requests/starts.ts';
import {
  closeReview,
  findAnnouncement,
  findReview,
  keepAnnouncement,
  openReviews,
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
    ...inboxOn(watched),
    ...outboxOn(watched),
    ...dueOn(watched, rows),
    ...alertsOn(watched, rows),
    removeSettled: (olderThan, limit) =>
      watched.write((queries) => removeSettledRequests(queries, olderThan, limit)),
    tally: (now) => watched.read((queries) => countWaiting(queries, watched.sharedNow(now))),
    ping: watched.ping,
    serverTime: () =>
      watched.dialect === 'postgres'
        ? watched.read((queries) => serverTime(queries, watched.sharedNow(0)))
        : Promise.resolve(undefined),
    close: watched.close,
  };
}

const requestsOn = (database: Database, rows: RowReader, history: History): Requests => ({
  ...stepsOn(database, rows, history),
  soleProcess: database.locked,
  find: (id) => database.read((queries) => findRequest(queries, id)),
  findCommitted: (id) => database.note((queries) => lockRequest(queries, id)),
  list: (filter) => database.read((queries) => listRequests(queries, rows, filter)),
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

const auditLogOn = ({ read, write }: Database, rows: RowReader): AuditLog => ({
  record: (drafts) => write((queries) => stageEntries(queries, drafts)),
  audit: (filter) => read((queries) => auditPage(queries, rows, filter)),
  auditFrom: (seq, limit) => read((queries) => auditFrom(queries, seq, limit)),
});

const sealedLogOn = (database: Database, history: History): SealedLog & Sealing & Cosignatures => ({
  async seal(keys, now, last, due = []) {
    // Asked of what is committed, as mostly nothing waits: then nothing is written and nobody is held up.
    const round = (await database.read(anythingWaits))
      ? await database.writeAlone(async (queries) => {
          const sealed = await sealRound(queries, keys, now, last);
          if (sealed) {
            const version = sealed.checkpoint.size;
            await setDue(
              queries,
              database,
              now,
              due.map((draft) => ({ ...draft, version })),
            );
          }
          return sealed;
        })
      : await database.read((queries) => followLog(queries, keys, last));
    if (round) history.sealed(round.checkpoint.size);
    return round;
  },
  adopt: (keys, now, entry) => database.writeAlone((queries) => adoptLog(queries, keys, now, entry)),
  mayRewrite: () => (database.dialect === 'postgres' ? database.read(mayRewrite) : Promise.resolve(true)),
  newestCheckpoint: () => database.read(newestCheckpoint),
  sealOf: (request) => database.read((queries) => sealOf(queries, request)),
  checkpointsFrom: (number, limit) => database.read((queries) => checkpointsFrom(queries, number, limit)),
  leavesFrom: (number, limit) => database.read((queries) => leavesFrom(queries, number, limit)),
  nodesFrom: (after, limit) => database.read((queries) => nodesFrom(queries, after, limit)),
  readHashes: (level, first, count) => database.read((queries) => readHashes(queries, level, first, count)),
  keepCosignature: (cosignature) => database.note((queries) => keepCosignature(queries, cosignature)),
  cosignaturesOf: (size) => database.read((queries) => cosignaturesOf(queries, size)),
});

const forwardingsOn = (database: Database): Forwardings => ({
  findForwarding: (destination) => database.read((queries) => findForwarding(queries, destination)),
  beginForwarding: (destination, after, now) =>
    database.writeAlone((queries) => beginForwarding(queries, database, destination, after, now)),
  moveForwarding: (destination, from, to) =>
    database.note((queries) => moveForwarding(queries, destination, from, to)),
});

const reviewsOn = (database: Database, rows: RowReader): Reviews => ({
  findReview: (requestId) => database.read((queries) => findReview(queries, requestId)),
  openReviews: (limit) => database.read((queries) => openReviews(queries, rows, limit)),
  closeReview: (closing) => database.write((queries) => closeReview(queries, database, closing)),
});

/** After so many new deliveries, twice as many old ones are removed: they never pile up, and no one waits long. */
const forgetEvery = 64;

function inboxOn(database: Database): Inbox {
  const { note } = database;
  let deliveries = 0;
  return {
    async claimOnce(key, now, keepMs, held) {
      const first = await note((queries) => rememberDelivery(queries, database, key, now, keepMs, held));
      deliveries += 1;
      if (deliveries % forgetEvery === 0) {
        await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
      }
      return first;
    },
    holdDeliveries: (keys, forMs, now) =>
      inBatches(keys, (batch) => note((queries) => holdDeliveries(queries, database, batch, forMs, now))),
    closeDeliveries: (keys) => inBatches(keys, (batch) => note((queries) => closeDeliveries(queries, batch))),
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

const outboxOn = ({ read, note }: Database): Outbox => ({
  findCard: (id) => read((queries) => findCard(queries, id)),
  markCardShown: (id, version, shown) => note((queries) => showCard(queries, id, version, shown)),
  findAnnouncement: (requestId) => read((queries) => findAnnouncement(queries, requestId)),
  keepAnnouncement: (requestId, message) => note((queries) => keepAnnouncement(queries, requestId, message)),
});

const dueOn = (database: Database, rows: RowReader): DueWork => ({
  claimDue: (limits, now, claimMs) =>
    database.note((queries) => claimDue(queries, rows, database.sharedNow(now), limits, claimMs)),
  setDue: (drafts, now) => database.write((queries) => setDue(queries, database, now, drafts)),
  settleDue: (due, outcome, now) =>
    // What is due instead comes with the end of it, or not at all.
    database['done' in outcome && outcome.next ? 'write' : 'note']((queries) =>
      settleDue(queries, database, due, outcome, now),
    ),
});

const alertsOn = (
  database: Database,
  rows: RowReader,
): Alerts & AlertOutbox & Pick<Store, 'removeAlerts'> => ({
  foldAlerts: (received) =>
    database.writeInTurn(received.hook, (queries) => foldAlerts(queries, database, received)),
  findAlertMessage: (id) => database.read((queries) => findAlertMessage(queries, rows, id)),
  markAlertShown: (message, shown) => database.note((queries) => showAlertMessage(queries, message, shown)),
  removeAlerts: (olderThan, limit) =>
    database.writeInTurn('', (queries) => removeAlerts(queries, olderThan, limit)),
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
      await database.note((queries) => rememberDelivery(queries, database, 'a try to write', 0, 0));
      await database.tryRoom();
      overcome = seen;
    },
  };
}
