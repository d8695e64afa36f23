import type { Alerts } from '../model/alert.ts';
import type { AuditLog, Forwardings } from '../model/audit.ts';
import type { Cosignatures, SealedLog } from '../model/sealed-log.ts';
import type { Housekeeping } from '../model/introspection.ts';
import type { DueWork } from '../model/due.ts';
import type { Outbox, Requests, Reviews } from '../model/requests.ts';
import type { UnreadableRow } from '../model/errors.ts';
import type { Sealing } from '../audit/seal.ts';
import type { Deliveries, AlertOutbox } from '../model/outbox.ts';

export interface StoreOptions {
  /** Told of what goes wrong while nobody waits for an answer: a lost idle connection, for example. */
  readonly onProblem?: (problem: unknown) => void;
  /** Told of each row that a list leaves out because it cannot be read, each time. */
  readonly onUnreadable?: (row: UnreadableRow) => void;
  /** Leaves of the tree that this replica has sealed: a store with fewer went back in time. */
  readonly sealed?: number | undefined;
  /** The address of the server at this moment, for new connections: its password may be rotated. */
  readonly currentUrl?: (() => string) | undefined;
}

/**
 * All that is stored, for all replicas. Every method rejects with BellhopError `store-unavailable` where the database
 * cannot be reached or is full. Users name the part that they need.
 */
export interface Store
  extends
    Requests,
    AuditLog,
    SealedLog,
    Cosignatures,
    Forwardings,
    Sealing,
    Reviews,
    Alerts,
    Deliveries,
    DueWork,
    Outbox,
    AlertOutbox,
    Housekeeping {
  /** A cheap question to the database. Rejects where it cannot answer, or takes no changes since the last one was refused. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
