import { hash as hashed } from 'node:crypto';

import { z } from 'zod';

import { type Actor, actor, place } from '../model/actor.ts';

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
  'break-glass',
  'review closed',
  'alert firing',
  'alert resolved',
  'policy loaded',
  'policy rejected',
] as const;
export type AuditEvent = (typeof auditEvents)[number];

/** What only the person who did it saw. */
export const privateEvents: readonly AuditEvent[] = ['read', 'invalid'];

/** One thing that happened, before it takes its place in the chain. Times are epoch milliseconds. */
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
  /** What the schedules that were asked told of the actor, and when. */
  onCall: z.string().optional(),
  requestId: z.string().optional(),
  /** The state the request is in after this, or `answered` / `failed` for a read. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  serviceRequestId: z.string().optional(),
  correlationId: z.string().optional(),
  policyHash: z.string(),
});
export type AuditDraft = Readonly<z.output<typeof auditDraft>>;

/** A line of the append-only record. `hash` covers the draft, `seq` and the hash before it. */
export const auditEntry = auditDraft.extend({
  /** 1, 2, 3 … without a gap, one order for all replicas. */
  seq: z.number().int(),
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

/** An entry beside the text of its draft, which is what the hash covers. */
export interface KeptEntry {
  readonly entry: AuditEntry;
  readonly text: string;
}

/** What the first entry is chained to. */
export const genesisHash = '0'.repeat(64);

/** Where the chain ends: the number and hash of the last entry. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

export interface AuditFilter {
  /** Only entries with a smaller `seq`, to page back in time. */
  readonly before?: number;
  readonly since?: number;
  readonly actor?: Actor;
  readonly targetName?: string;
  readonly requestId?: string;
  /** Leaves out what is nobody else's business: reads of others than this one, and what they mistyped. */
  readonly privateTo?: Actor | undefined;
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

/**
 * Gives a draft its place after `head`. The store calls this inside the transaction that appends it.
 * @param text canonical JSON of the draft, where it is there already
 */
export function chain(head: AuditHead, draft: AuditDraft, text = canonical(draft)): AuditEntry {
  const seq = head.seq + 1;
  return { ...draft, seq, previousHash: head.hash, hash: hashOf(seq, head.hash, text) };
}

/**
 * The first thing that is wrong with `entry` as the one after `head`, or undefined.
 * @param text of the draft as it is kept, so that no edit of it passes, not even one that reads alike
 */
export function breakAt(head: AuditHead, entry: AuditEntry, text = textOf(entry)): string | undefined {
  if (entry.seq !== head.seq + 1) return `expected entry ${head.seq + 1}, found ${entry.seq}`;
  if (entry.previousHash !== head.hash) return `entry ${entry.seq} does not follow the one before it`;
  if (hashOf(entry.seq, head.hash, text) !== entry.hash) return `entry ${entry.seq} was edited`;
  return undefined;
}

function textOf({ seq: _seq, previousHash: _previousHash, hash: _hash, ...draft }: AuditEntry): string {
  return canonical(draft);
}

const hashOf = (seq: number, previousHash: string, text: string): string =>
  hashed('sha256', `${seq}\n${previousHash}\n${text}`);

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
