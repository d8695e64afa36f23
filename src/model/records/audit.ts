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

/** The name of an event of a feature. This build may not have the event. See `ownEvent`. */
export const roomEvent = z.string().brand<'RoomEvent'>();
export type RoomEvent = z.output<typeof roomEvent>;

export type AuditEvent = KernelEvent | RoomEvent;

/** Events that only the person who caused them saw. */
export const privateEvents: readonly KernelEvent[] = ['read', 'invalid'];

/** An entry without a number. Times are epoch milliseconds. */
const auditDraft = z.object({
  at: z.number().int(),
  event: z.union([z.enum(kernelEvents), roomEvent]),
  /** Absent if Bellhop acted by itself, as for an expiry, a recovery or a load of the policy. */
  actor: actor.optional(),
  place: place.optional(),
  operation: z.string().optional(),
  /** The input as entered, with names in place of secrets. */
  input: z.record(z.string(), z.unknown()).optional(),
  target: z
    .object({ kind: z.string(), name: z.string(), key: z.string(), labels: z.record(z.string(), z.string()) })
    .optional(),
  decision: z.string().optional(),
  rule: z.string().optional(),
  login: login.optional(),
  requestId: z.string().optional(),
  rollout: z.string().optional(),
  /** The state of the request after the event. For a read, `answered` or `failed`. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
  /** How many equal reads of an agent, or presses of a button, this entry records. Default: one. */
  count: z.number().int().optional(),
  /** The code of the error, if a read failed, a command was invalid, or a change ended with an error. */
  error: z.string().optional(),
  /** Bellhop's own words, never text that a person typed. */
  note: z.string().optional(),
  serviceRequestId: z.string().optional(),
  correlationId: z.string().optional(),
  policyHash: z.string(),
});
export type AuditDraft = Readonly<z.output<typeof auditDraft>>;

/** The id of the rollout that the request of an entry is part of. */
export const wholeOf = ({ rollout }: Pick<AuditDraft, 'rollout'>): string | undefined => rollout;

/**
 * A numbered entry. Members that the schema does not name are kept, because they are data of features. See
 * `EntryData`.
 */
export const auditEntry = auditDraft.loose().extend({
  /**
   * The number of the entry. Sealed entries have numbers without gaps, in one order for all replicas. Before
   * sealing, this is only the probable number.
   */
  seq: z.number().int(),
  /** The hash of the entry's leaf, in hexadecimal. Absent before sealing. */
  hash: z.string().optional(),
  /** Set if the text of `reason` was removed. `reason` says so instead. */
  reasonRemoved: z.literal(true).optional(),
});
export type AuditEntry = AuditDraft &
  Readonly<Pick<z.output<typeof auditEntry>, 'seq' | 'hash' | 'reasonRemoved'>>;

export interface AuditFilter {
  /** Selects entries with a smaller `seq`, for paging back in time. */
  readonly before?: number | undefined;
  readonly since?: number;
  readonly actor?: Actor | undefined;
  readonly targetName?: string | undefined;
  /** Selects entries of this request and of its parts. */
  readonly requestId?: string | undefined;
  /** Hides the reads and invalid commands of people other than this one. */
  readonly privateTo?: Actor | undefined;
  readonly limit: number;
}

/** The append-only record. Rejects with BellhopError `store-unavailable`. */
export interface AuditLog {
  /** Appends all entries in order, or none. They are sealed soon after. */
  record(drafts: readonly AuditDraft[]): Promise<void>;
  /** Resolves to entries, newest first, sealed or not. Unreadable entries are skipped. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Resolves to the entries after `seq` for export, oldest first, sealed or not. Rejects instead of skipping an entry. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
  /** Resolves to the time of the first sealed entry after `seq`, in epoch milliseconds. */
  timeAfter(seq: number): Promise<number | undefined>;
}

/** Returns JSON with sorted keys and without undefined, so that a stored value has the same hash when it is read again. */
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
