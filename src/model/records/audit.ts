import { z } from 'zod';

import { type Actor, actor, place } from '../values/actor.ts';
import { login } from '../values/pass.ts';

const kernelEvents = [
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
  'policy loaded',
  'policy rejected',
  'log adopted',
  'store set back',
  'paused',
  'continued',
  'stopped',
  'person forgotten',
] as const;
export type KernelEvent = (typeof kernelEvents)[number];

/** Of a feature that this build may not have. See `ownEvent`. */
export const roomEvent = z.string().brand<'RoomEvent'>();
export type RoomEvent = z.output<typeof roomEvent>;

export type AuditEvent = KernelEvent | RoomEvent;

/** Only the person who caused them saw these. */
export const privateEvents: readonly KernelEvent[] = ['read', 'invalid'];

/** Times are epoch milliseconds. */
const auditDraft = z.object({
  at: z.number().int(),
  event: z.union([z.enum(kernelEvents), roomEvent]),
  /** Absent if Bellhop acted by itself, as for an expiry, a recovery or a load of the policy. */
  actor: actor.optional(),
  place: place.optional(),
  operation: z.string().optional(),
  /** As entered, with names in place of secrets. */
  input: z.record(z.string(), z.unknown()).optional(),
  target: z
    .object({ kind: z.string(), name: z.string(), key: z.string(), labels: z.record(z.string(), z.string()) })
    .optional(),
  decision: z.string().optional(),
  rule: z.string().optional(),
  login: login.optional(),
  requestId: z.string().optional(),
  rollout: z.string().optional(),
  /** The request's state after the event. For a read, `answered` or `failed`. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
  /** How many equal reads of an agent, or presses of a button, this entry records. Default: one. */
  count: z.number().int().optional(),
  /** If a read failed, a command was invalid, or a change ended with an error. */
  error: z.string().optional(),
  /** Bellhop's own words, never text that a person typed. */
  note: z.string().optional(),
  serviceRequestId: z.string().optional(),
  correlationId: z.string().optional(),
  policyHash: z.string(),
});
export type AuditDraft = Readonly<z.output<typeof auditDraft>>;

/** The rollout that the entry's request is part of. */
export const wholeOf = ({ rollout }: Pick<AuditDraft, 'rollout'>): string | undefined => rollout;

/** Keeps members that the schema does not name, because features have data there. See `EntryData`. */
export const auditEntry = auditDraft.loose().extend({
  /** Sealed entries are numbered without gaps, in one order for all replicas. Before sealing, the number is only probable. */
  seq: z.number().int(),
  /** The leaf's hash, in hexadecimal. Absent before sealing. */
  hash: z.string().optional(),
  /** Set if the text of `reason` was removed. `reason` then says so. */
  reasonRemoved: z.literal(true).optional(),
});
export type AuditEntry = AuditDraft &
  Readonly<Pick<z.output<typeof auditEntry>, 'seq' | 'hash' | 'reasonRemoved'>>;

export interface AuditFilter {
  /** Entries with a smaller `seq`, for paging back in time. */
  readonly before?: number | undefined;
  readonly since?: number;
  readonly actor?: Actor | undefined;
  readonly targetName?: string | undefined;
  /** Entries of this request and of its parts. */
  readonly requestId?: string | undefined;
  /** Hides other people's reads and invalid commands. */
  readonly privateTo?: Actor | undefined;
  readonly limit: number;
}

/** Append-only. Rejects with BellhopError `store-unavailable`. */
export interface AuditLog {
  /** Appends all entries in order, or none. They are sealed soon after. */
  record(drafts: readonly AuditDraft[]): Promise<void>;
  /** Newest first, sealed or not. Skips unreadable entries. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** For export: entries after `seq`, oldest first, sealed or not. Rejects instead of skipping an entry. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
  /** When the first sealed entry after `seq` was made, in epoch milliseconds. */
  timeAfter(seq: number): Promise<number | undefined>;
}

/** JSON with sorted keys and without undefined, so that a stored value keeps its hash when it is read again. */
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
