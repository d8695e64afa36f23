import type { AuditDraft } from '../audit/audit.ts';
import type { AlertContent, AlertMessage, AlertUpdate } from './alert.ts';
import type { Fold } from './fold.ts';

/** A change of status that people may want to know of later: of a group, or of a whole storm. */
export interface AlertChange {
  readonly event: 'alert firing' | 'alert resolved';
  readonly hook: string;
  readonly channel: string;
  readonly content: AlertContent;
  /** Of a storm: how many groups it came to. */
  readonly storm?: number | undefined;
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
  readonly entry: (change: AlertChange) => AuditDraft;
}

/** Alerts, folded into the messages that tell of them. Rejects with BellhopError `store-unavailable`. */
export interface Alerts {
  /** Takes an update in, with its audit entry, in one transaction. */
  foldAlerts(received: ReceivedAlerts): Promise<Fold>;
  /** Undefined once it is no longer kept. */
  findAlertMessage(id: string): Promise<AlertMessage | undefined>;
}
