import type { After } from '../model/after.ts';
import type { Offers } from '../model/records/offer.ts';
import type { AuditLog } from '../model/records/audit.ts';
import type { Cosignatures, SealedLog } from '../model/records/sealed-log.ts';
import type { Housekeeping } from '../model/introspection.ts';
import type { DueWork, LastingWork } from '../model/records/due.ts';
import type { Outbox, Requests, Reviews } from '../model/records/requests.ts';
import { BellhopError, type UnreadableRow } from '../model/values/errors.ts';
import type { Sealing } from '../audit/seal.ts';
import type { Deliveries } from '../model/ports.ts';
import type { Database, Queries } from './database/database.ts';
import { type History, createHistory } from './queries/requests/history.ts';
import { mayRewrite } from './postgres/privileges.ts';
import type { SignIns } from '../model/records/sign-ins.ts';
import { signInsOn } from './queries/sign-ins.ts';
import { madeOffersOn } from './queries/made-offers.ts';
import { offersOn } from './queries/offers.ts';
import { auditLogOn } from './queries/audit.ts';
import { dueOn, lastingOn } from './queries/due.ts';
import { housekeepingOn } from './queries/housekeeping.ts';
import { inboxOn, rememberDelivery } from './queries/inbox.ts';
import { createRowReader } from './queries/parse-row.ts';
import { cardsOn, requestsOn, reviewsOn } from './queries/requests/requests.ts';
import { adoptLog, followLog, sealRound } from './queries/seal.ts';
import { cosignaturesOf, keepCosignature, readHashes, sealOf, sealedLogReads } from './queries/sealed-log.ts';

export interface StoreOptions {
  /** For background problems, such as a lost idle connection. */
  readonly onProblem?: (problem: unknown) => void;
  readonly onUnreadable?: (row: UnreadableRow) => void;
  /** How many leaves this replica has sealed. A store with fewer was restored from an older state. */
  readonly sealed?: number | undefined;
  /** The current server URL, for new connections, because the password may be rotated. */
  readonly currentUrl?: (() => string) | undefined;
  /** Decides the work due after a step. Without it, the store takes no steps. */
  readonly dueAfter?: After | undefined;
}

/**
 * For all replicas. Every method rejects with BellhopError `store-unavailable` if the database can't be reached or is full. Callers name
 * the part that they need.
 */
export interface Store
  extends
    Requests,
    AuditLog,
    SealedLog,
    Cosignatures,
    Sealing,
    Reviews,
    Offers,
    Deliveries,
    DueWork,
    LastingWork,
    Outbox,
    SignIns,
    Housekeeping {
  /**
   * Runs a cheap query and, now and then and after a refused change, a cheap change. Rejects if the database can't answer, or would refuse
   * a change.
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function createStore(
  database: Database,
  { onUnreadable = () => undefined, sealed = 0, dueAfter = refuseStep }: StoreOptions = {},
): Store {
  const rows = createRowReader(onUnreadable);
  const { refused, ...watched } = noteRefusals(database);
  const ports = { clock: watched, rows, dueAfter };
  const history = createHistory(watched, ports, sealed);
  const inbox = inboxOn(watched);
  return {
    ...requestsOn(watched, ports, history),
    ...cardsOn(watched),
    ...reviewsOn(watched, rows),
    ...dueOn(watched, rows, history.glance),
    ...lastingOn(watched, rows),
    ...inbox,
    ...offersOn(watched, rows),
    ...madeOffersOn(watched),
    ...auditLogOn(watched, rows),
    ...sealedLogOn(watched, history),
    ...housekeepingOn(watched),
    ...signInsOn(watched),
    // The key expires immediately, so that each try really writes.
    ping: pingOn(
      watched,
      () => history.glance({ now: 0 }),
      (queries) => rememberDelivery(queries, watched, 'a try to write', 0, 0),
      refused,
    ),
    close: watched.close,
  };
}

/** Without its due work, a step would never be shown, and a request would never expire. */
function refuseStep(): never {
  throw new TypeError('This store was opened without the rules of what is due after a step.');
}

const sealedLogOn = (database: Database, history: History): SealedLog & Sealing & Cosignatures => ({
  async seal(keys, now, last, due, isWoken = false) {
    // Usually no committed rows wait, and then nothing is written or locked.
    const found = isWoken ? undefined : await history.glance({ now });
    const round =
      found && !found.isUnsealed
        ? await database.read((queries) => followLog(queries, keys, found.newest, last))
        : await sealRound(database, keys, now, last, due);
    if (round) history.sealed(round.checkpoint.size);
    return round;
  },
  adopt: (keys, now, entry) =>
    database.writeAlone((queries) => adoptLog(queries, database, keys, now, entry)),
  mayRewrite: () => (database.dialect === 'postgres' ? database.read(mayRewrite) : Promise.resolve(true)),
  ...sealedLogReads(database.read),
  sealOf: (request) => database.read((queries) => sealOf(queries, request)),
  readHashes: (level, first, count) => database.read((queries) => readHashes(queries, level, first, count)),
  keepCosignature: (cosignature) => database.note((queries) => keepCosignature(queries, cosignature)),
  cosignaturesOf: (size) => database.read((queries) => cosignaturesOf(queries, size)),
});

/** A database with a full disk can still be read. */
function noteRefusals(database: Database): Database & { readonly refused: () => number } {
  let refusals = 0;
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
    step: (work) => noticing(database.step(work)),
    writeAlone: (work) => noticing(database.writeAlone(work)),
    note: (work) => noticing(database.note(work)),
    writeInTurn: (turn, work) => noticing(database.writeInTurn(turn, work)),
    refused: () => refusals,
  };
}

/**
 * One in this many pings writes: the first one, and every tenth. A ping after a refused change writes, too.
 */
const writesEvery = 10;

/** After a refused change, the ping also checks for disk space. */
function pingOn(
  { write, tryRoom }: Database,
  glance: () => Promise<unknown>,
  tryToWrite: (queries: Queries) => Promise<unknown>,
  refused: () => number,
): Store['ping'] {
  let [overcome, pings] = [0, 0];
  return async () => {
    await glance();
    // A change that is refused during this check counts at the next ping.
    const seen = refused();
    if (overcome === seen && pings++ % writesEvery !== 0) return;
    // Only this write proves that the store accepts changes, because many other successful statements change no row.
    await write(tryToWrite);
    if (overcome === seen) return;
    await tryRoom();
    overcome = seen;
  };
}
