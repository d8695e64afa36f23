import type { AuditDraft } from '../audit/audit.ts';
import type { AlertContent, AlertMessage, AlertTier, AlertUpdate } from './alert.ts';
import type { Fold } from './fold.ts';

/** A change that people may want to know of later. */
export interface AlertChange {
  /** Where it is shown. */
  readonly channel: string;
  readonly update: AlertUpdate;
  /** What fired before; undefined where nothing of it did. */
  readonly before?: AlertContent | undefined;
  /** The storm that it is shown in: with how many groups, and whether the whole of it began to fire, or ended, by this. */
  readonly storm?: { readonly tier: AlertTier; readonly total: number; readonly turned: boolean } | undefined;
}

/** What came from a hook, and where it goes. */
export interface ReceivedAlerts {
  readonly hook: string;
  readonly channel: string;
  readonly update: AlertUpdate;
  /** When it came, in epoch milliseconds. */
  readonly at: number;
  /** The id of a message, should it need one. */
  readonly messageId: string;
  /** What the audit log says of a change. */
  readonly entries: (change: AlertChange) => readonly AuditDraft[];
}

/** Alerts, folded into the messages that tell of them. Rejects with BellhopError `store-unavailable`. */
export interface Alerts {
  /** Takes an update in, with its audit entries, in one transaction. */
  foldAlerts(received: ReceivedAlerts): Promise<Fold>;
  /** Undefined once it is no longer kept. */
  findAlertMessage(id: string): Promise<AlertMessage | undefined>;
}
