import type { Actor } from '../model/actor.ts';
import type { AuditDraft, AuditEntry, AuditHead, KeptEntry } from './audit.ts';

export interface AuditFilter {
  /** Only entries with a smaller `seq`, to page back in time. */
  readonly before?: number;
  readonly since?: number;
  readonly actor?: Actor;
  readonly targetName?: string;
  readonly requestId?: string;
  readonly limit: number;
}

/** The append-only record. Rejects with BellhopError `store-unavailable`. */
export interface AuditLog {
  /** Appends entries to the chain, in order, all or none. */
  record(drafts: readonly AuditDraft[]): Promise<readonly AuditEntry[]>;
  /** Newest first; without entries that cannot be read. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Oldest first from after `seq`, for export; rejects rather than leave one out. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
  /** The same as they are kept, for verification. */
  keptFrom(seq: number, limit: number): Promise<readonly KeptEntry[]>;
  auditHead(): Promise<AuditHead>;
}
