import { z } from 'zod';

import { type Actor, actor, place } from './actor.ts';
import { onCallAnswer } from './on-call.ts';
import { login } from './step-up.ts';

/** What an audit entry can say happened. */
const auditEvents = [
  'read',
  'denied',
  'invalid',
  'proposed',
  'confirmed',
  'approved',
  'denied approval',
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
] as const;
export type AuditEvent = (typeof auditEvents)[number];

/** What only the person who did it saw. */
export const privateEvents: readonly AuditEvent[] = ['read', 'invalid'];

/** One thing that happened, before it takes its place in the log. Times are epoch milliseconds. */
const auditDraft = z.object({
  at: z.number().int(),
  event: z.enum(auditEvents),
  /** Absent where Bellhop acted by itself: expiry, recovery, policy load. */
  actor: actor.optional(),
  place: place.optional(),
  operation: z.string().optional(),
  /** As given; secrets as names. */
  input: z.record(z.string(), z.unknown()).optional(),
  target: z
    .object({ kind: z.string(), name: z.string(), key: z.string(), labels: z.record(z.string(), z.string()) })
    .optional(),
  decision: z.string().optional(),
  rule: z.string().optional(),
  /** The suggestion that it is about, and the id of its agent: `agent:holmes`. */
  suggestion: z.object({ id: z.string(), agent: z.string() }).optional(),
  /** What the schedules that were asked told of the actor, and when. */
  onCall: z.array(onCallAnswer).readonly().optional(),
  /** How the actor signed in, where the rule asked for that. */
  login: login.optional(),
  requestId: z.string().optional(),
  /** The rollout that the request is a single one of. */
  rollout: z.string().optional(),
  /** The state the request is in after this, or `answered` / `failed` for a read. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  serviceRequestId: z.string().optional(),
  correlationId: z.string().optional(),
  policyHash: z.string(),
});
export type AuditDraft = Readonly<z.output<typeof auditDraft>>;

/** A line of the append-only record. */
export const auditEntry = auditDraft.extend({
  /** 1, 2, 3 … without a gap, one order for all replicas. Before it was sealed: the place that it will probably take. */
  seq: z.number().int(),
  /** Of its leaf, in hexadecimal. Absent before it was sealed. */
  hash: z.string().optional(),
});
export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

export interface AuditFilter {
  /** Only entries with a smaller `seq`, to page back in time. */
  readonly before?: number | undefined;
  readonly since?: number;
  readonly actor?: Actor | undefined;
  readonly targetName?: string | undefined;
  readonly requestId?: string | undefined;
  /** Leaves out what is nobody else's business: reads of others than this one, and what they mistyped. */
  readonly privateTo?: Actor | undefined;
  readonly limit: number;
}

/** The append-only record. Rejects with BellhopError `store-unavailable`. */
export interface AuditLog {
  /** Appends entries, in order, all or none. They are sealed soon after. */
  record(drafts: readonly AuditDraft[]): Promise<void>;
  /** Newest first, sealed or not; without entries that cannot be read. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Oldest first from after `seq`, sealed or not, for export; rejects rather than leave one out. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** JSON with sorted keys and without undefined, so that a stored and re-read value hashes alike. */
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

/** How far the sealed log was sent to a destination outside. Times are epoch milliseconds. */
export interface Forwarding {
  /** The number of the last entry that it has taken. */
  readonly sent: number;
  /** That of the newest sealed entry. */
  readonly newest: number;
  /** When the first entry after `sent` happened; undefined where there is none yet. */
  readonly oldestAt: number | undefined;
  /** Why it did not take the last batch. */
  readonly problem: string | undefined;
}

/** The cursor of each destination. Rejects with BellhopError `store-unavailable`. */
export interface Forwardings {
  /** Undefined before it began. */
  findForwarding(destination: string): Promise<Forwarding | undefined>;
  /**
   * Begins after an entry, or after the newest, unless it has begun before; what is left is due either way.
   * @returns whether it begins
   */
  beginForwarding(destination: string, after: number | 'newest', now: number): Promise<boolean>;
  /** False where the cursor is not at `from` any more: another replica sends. */
  moveForwarding(
    destination: string,
    from: number,
    to: Pick<Forwarding, 'sent' | 'problem'>,
  ): Promise<boolean>;
}
