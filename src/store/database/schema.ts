import type { Generated, Selectable } from 'kysely';

import type { AlertStatus, AlertTier } from '../../model/records/alert.ts';
import type { AuditEvent } from '../../model/records/audit.ts';
import type { DueKind } from '../../model/records/due.ts';
import type { State } from '../../model/records/request.ts';

/** Times are epoch milliseconds. From `input` to `review_closed`, structured values are JSON text. */
export interface RequestsTable {
  id: string;
  version: number;
  state: State;
  operation: string;
  input: string;
  words: string;
  target: string;
  target_key: string;
  preview: string;
  requester_team: string;
  requester_user: string;
  place: string;
  reason: string | null;
  break_glass: string | null;
  decision: string;
  approvals: string;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_at: number | null;
  note: string | null;
  last_unknown_at: number | null;
  started_at: number | null;
  runner: string | null;
  /** In epoch milliseconds, by the database's clock. */
  lease_until: number | null;
  before: string | null;
  ended_at: number | null;
  outcome: string | null;
  /** When a person settled the outcome. */
  settled_at: number | null;
  policy_hash: string;
  correlation_id: string;
  card: string | null;
  /** The version that the card shows. The value is 0 before the card was posted. */
  card_shown_version: number;
  review: string | null;
  review_message: string | null;
  review_closed: string | null;
  /** A rollout's progress. */
  rollout: string | null;
  /** Since when the rollout is paused. */
  paused_at: number | null;
  part_of: string | null;
  /** Identifies the button or form and the person, as long as another press counts as the same one. */
  press?: string | null;
}

interface SearchedColumns {
  event: AuditEvent;
  at: number;
  actor_team: string | null;
  actor_user: string | null;
  target_name: string | null;
  request_id: string | null;
  /** The hash of what the actor typed. The text is in `audit_reasons` until someone removes the text. */
  reason_hash: string | null;
}

/**
 * The typed texts of people. The entries have only the hash of the text, so this table is the only part of the log that may be
 * removed.
 */
export interface AuditReasonsTable {
  hash: string;
  /** Consists of a salt and the text. */
  typed: string;
}

/** An entry that was committed with a step and is not numbered yet. */
export interface AuditStagedTable extends SearchedColumns {
  /** The order of insertion. Within a request, the steps are in this order. */
  id: Generated<number>;
  /** Canonical JSON. */
  draft: string;
}

export interface AuditTable extends SearchedColumns {
  seq: number;
  /** The leaf's hash, in hexadecimal. */
  hash: string;
  /** The draft is canonical JSON, which the hash covers. */
  draft: string;
  /**
   * The greatest `at` so far. The value grows with `seq` even if clocks step back, so that a time bound is a `seq`
   * bound.
   */
  latest_at: number;
}

/** The table has one row. Each sealer updates that row first, so that only one replica seals at a time. */
export interface AuditHeadTable {
  id: number;
  seq: number;
  latest_at: number;
  /** The edge of the newest tree, as concatenated hexadecimal hashes. */
  edge: string;
}

/** Complete subtrees of 256^level leaves, from level 1. The table `audit` has the hashes of the leaves. */
export interface AuditNodesTable {
  level: number;
  /** The position from the left, starting at 0. */
  place: number;
  /** In hexadecimal. */
  hash: string;
}

export interface AuditCheckpointsTable {
  number: number;
  size: number;
  at: number;
  note: string;
}

export interface AuditCosignaturesTable {
  number: number;
  witness: string;
  line: string;
  at: number;
}

/** Work that one replica does at a certain time. Times are epoch milliseconds by the store's clock. */
export interface DueTable {
  kind: DueKind;
  key: string;
  version: number;
  /** JSON text. */
  about: string | null;
  /** The time at which the work is due next. A claim moves this time into the future. Resting work has no time. */
  at: number | null;
  since: number;
  /** The time at which `at` was set. If that time is in the future, the clock was set back. */
  set_at: number;
  tries: number;
}

/** A hook with alerts. Each delivery updates the hook's row first, so that replicas take turns. */
export interface AlertHooksTable {
  hook: string;
  updated_at: number;
}

/** A message about a group of alerts, or about a storm of them. Times are epoch milliseconds. */
export interface AlertMessagesTable {
  id: string;
  hook: string;
  channel: string;
  kind: 'group' | 'storm';
  tier: AlertTier;
  /** Set if a newer message took over this message's group. The value is the title of that group. */
  moved: string | null;
  ts: string | null;
  version: number;
  /** The version that the message shows. The value is 0 before the message was posted. */
  shown_version: number;
  opened_at: number;
  /** The time at which a group last joined the message. */
  folded_at: number;
  /** The number of firing groups, and the number of all groups that joined. */
  firing: number;
  total: number;
}

/** A group of alerts. `id` is a hash of hook and key, and `content` is JSON text. */
export interface AlertGroupsTable {
  id: string;
  hook: string;
  message_id: string;
  status: AlertStatus;
  status_at: number;
  /** The title in the content. The message of a storm shows these titles. */
  title: string;
  content: string;
  rank: number;
  /** JSON text of what the message has announced about this group. */
  told: string;
  digest: string;
  /** A digest of the alerts that the last update named, and of when each began. Empty if the source does not say. */
  firing_digest: string;
  sent_at: number | null;
  /** The time at which the source last sent the group. */
  seen_at: number;
}

export interface DeliveriesTable {
  key: string;
  expires_at: number;
  held_by: string | null;
}

/** A sign-in link. Times are epoch milliseconds by the clock of the store. `click` and `login` are JSON text. */
export interface SignInsTable {
  /** `token` and `browser` are SHA-256 hashes. */
  token: string;
  /** The person who clicked, as `T…/U…`. */
  person: string;
  browser: string | null;
  stage: 'made' | 'followed' | 'returned' | 'signed in' | 'spent';
  click: string;
  login: string | null;
  made_at: number;
  good_until: number;
}

/** The only row has the store's home at the time when Bellhop last checked that the store was complete. */
export interface StoreHomeTable {
  id: number;
  /** The value of `Database.home`. If the current home is different, this store is a copy. */
  home: string;
}

export interface SchemaVersionTable {
  number: number;
  name: string;
}

export interface Schema {
  requests: RequestsTable;
  audit: AuditTable;
  audit_head: AuditHeadTable;
  audit_reasons: AuditReasonsTable;
  audit_staged: AuditStagedTable;
  audit_nodes: AuditNodesTable;
  audit_checkpoints: AuditCheckpointsTable;
  audit_cosignatures: AuditCosignaturesTable;
  deliveries: DeliveriesTable;
  due: DueTable;
  alert_hooks: AlertHooksTable;
  alert_messages: AlertMessagesTable;
  alert_groups: AlertGroupsTable;
  sign_ins: SignInsTable;
  store_home: StoreHomeTable;
  schema_version: SchemaVersionTable;
}

export type RequestRow = Selectable<RequestsTable>;
export type DueRow = Selectable<DueTable>;
export type AlertGroupRow = Selectable<AlertGroupsTable>;
export type AlertMessageRow = Selectable<AlertMessagesTable>;
export type AuditRow = Selectable<AuditTable>;
