import { z } from 'zod';

import { type Actor, actor, place } from '../values/actor.ts';
import { onCallAnswer } from '../values/on-call.ts';
import { login } from '../values/step-up.ts';

/** The events of the audit log. */
const auditEvents = [
  'read',
  'denied',
  'invalid',
  'proposed',
  'confirmed',
  'approved',
  'denied approval',
  'approvers added',
  'cancelled',
  'superseded',
  'expired',
  'refused',
  'started',
  'ended',
  'settled',
  'ignored click',
  'login refused',
  'break-glass',
  'review closed',
  'alert firing',
  'alert resolved',
  'suggested',
  'pressed',
  'dismissed',
  'policy loaded',
  'policy rejected',
  'log adopted',
  'store set back',
  'paused',
  'continued',
  'stopped',
  'person forgotten',
] as const;
export type AuditEvent = (typeof auditEvents)[number];

/** Events that only the person who caused them saw. */
export const privateEvents: readonly AuditEvent[] = ['read', 'invalid'];

/** An entry before it gets its number. Times are epoch milliseconds. */
const auditDraft = z.object({
  at: z.number().int(),
  event: z.enum(auditEvents),
  /** Absent if Bellhop acted by itself: expiry, recovery, policy load. */
  actor: actor.optional(),
  place: place.optional(),
  operation: z.string().optional(),
  /** As entered; secrets as names. */
  input: z.record(z.string(), z.unknown()).optional(),
  target: z
    .object({ kind: z.string(), name: z.string(), key: z.string(), labels: z.record(z.string(), z.string()) })
    .optional(),
  decision: z.string().optional(),
  rule: z.string().optional(),
  /** The suggestion that it is about, and the id of its agent: `agent:holmes`. */
  suggestion: z.object({ id: z.string(), agent: z.string() }).optional(),
  /** The schedules' answers about the actor. */
  onCall: z.array(onCallAnswer).readonly().optional(),
  /** How the actor signed in, if the rule requires it. */
  login: login.optional(),
  requestId: z.string().optional(),
  /** The rollout that the request is a single one of. */
  rollout: z.string().optional(),
  /** The state the request is in after this, or `answered` / `failed` for a read. */
  outcome: z.string().optional(),
  /** What the actor typed, or an agent wrote. */
  reason: z.string().optional(),
  /** Bellhop's words: nothing that a person typed. */
  note: z.string().optional(),
  serviceRequestId: z.string().optional(),
  correlationId: z.string().optional(),
  policyHash: z.string(),
});
export type AuditDraft = Readonly<z.output<typeof auditDraft>>;

/** A line of the append-only record. */
export const auditEntry = auditDraft.extend({
  /** 1, 2, 3 … without gaps, in one order for all replicas. Before sealing, the number it will probably get. */
  seq: z.number().int(),
  /** The hash of its leaf, in hexadecimal. Absent before sealing. */
  hash: z.string().optional(),
  /** The text of `reason` was removed; `reason` says so instead. */
  reasonRemoved: z.literal(true).optional(),
});
export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

export interface AuditFilter {
  /** Only entries with a smaller `seq`, to page back in time. */
  readonly before?: number | undefined;
  readonly since?: number;
  readonly actor?: Actor | undefined;
  readonly targetName?: string | undefined;
  /** Entries of this request; for a rollout, also of its single requests. */
  readonly requestId?: string | undefined;
  /** Hides the reads and invalid commands of people other than this one. */
  readonly privateTo?: Actor | undefined;
  readonly limit: number;
}

/** The append-only record. Rejects with BellhopError `store-unavailable`. */
export interface AuditLog {
  /** Appends entries, in order, all or none. They are sealed soon after. */
  record(drafts: readonly AuditDraft[]): Promise<void>;
  /** Newest first, sealed or not; unreadable entries are skipped. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Oldest first, after `seq`, sealed or not, for export. Rejects instead of skipping an entry. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** JSON with sorted keys and without undefined, so that a stored value hashes the same when it is read again. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    let members = '';
    for (const [key, member] of Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if (member !== undefined) members += `${members && ','}${JSON.stringify(key)}:${canonical(member)}`;
    }
    return `{${members}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** How far the sealed log was sent to a destination. Times are epoch milliseconds. */
export interface Forwarding {
  /** The number of the last accepted entry. */
  readonly sent: number;
  /** The number of the newest sealed entry. */
  readonly newest: number;
  /** The time of the first entry after `sent`; undefined if there is none. */
  readonly oldestAt: number | undefined;
  /** Why it did not accept the last batch. */
  readonly problem: string | undefined;
}

/** The cursor of each destination. Rejects with BellhopError `store-unavailable`. */
export interface Forwardings {
  /** Undefined before it started. */
  findForwarding(destination: string): Promise<Forwarding | undefined>;
  /**
   * Starts after an entry, or after the newest, unless it has already started; the rest is due either way.
   * @returns whether this call started it
   */
  beginForwarding(destination: string, after: number | 'newest', now: number): Promise<boolean>;
  /** False if the cursor is no longer at `from`, because another replica sends. */
  moveForwarding(
    destination: string,
    from: number,
    to: Pick<Forwarding, 'sent' | 'problem'>,
  ): Promise<boolean>;
}
