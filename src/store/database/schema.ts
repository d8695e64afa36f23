import type { Generated, Selectable } from 'kysely';

import type { AlertStatus, AlertTier } from '../../model/alert.ts';
import type { AuditEvent } from '../../model/audit.ts';
import type { DueKind } from '../../model/due.ts';
import type { State } from '../../model/request.ts';

/** A request. Times are epoch milliseconds; `input` to `review_closed` that hold more than a word are JSON text. */
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
  /** By the clock of the database. */
  lease_until: number | null;
  before: string | null;
  ended_at: number | null;
  outcome: string | null;
  policy_hash: string;
  correlation_id: string;
  card: string | null;
  /** The version that the card shows; 0 before it was posted. */
  card_shown_version: number;
  /** Of an approval that was skipped; open until it is closed. */
  review: string | null;
  review_message: string | null;
  review_closed: string | null;
  /** Of a rollout: how far it is. */
  rollout: string | null;
  /** The id of the rollout that it is a single request of. */
  part_of: string | null;
  /** Identifies the button or form and the person, while another press counts as the same. */
  press?: string | null;
}

/** What an entry is searched by: it repeats what the draft says. */
interface SearchedColumns {
  event: AuditEvent;
  at: number;
  actor_team: string | null;
  actor_user: string | null;
  target_name: string | null;
  request_id: string | null;
}

/** An entry that was committed with its step and has no number yet. */
export interface AuditStagedTable extends SearchedColumns {
  /** In the order in which they were inserted; of one request that is the order of its steps. */
  id: Generated<number>;
  /** Canonical JSON. */
  draft: string;
}

/** A numbered entry. */
export interface AuditTable extends SearchedColumns {
  seq: number;
  /** Of the leaf, in hexadecimal. */
  hash: string;
  /** Canonical JSON, which the hash covers. */
  draft: string;
  /** The greatest `at` so far: grows with `seq` even where clocks step back, so a time bound is a `seq` bound. */
  latest_at: number;
}

/** One row, updated first by each sealer, so that only one seals at a time across replicas. */
export interface AuditHeadTable {
  id: number;
  /** Of the newest numbered entry. */
  seq: number;
  latest_at: number;
  /** The edge of the newest tree, hexadecimal hashes one after the other. */
  edge: string;
}

/** Complete subtrees of 256^level leaves, from level 1 on: `audit` has the hashes of the leaves. */
export interface AuditNodesTable {
  level: number;
  /** From 0, from the left. */
  place: number;
  /** In hexadecimal. */
  hash: string;
}

/** A checkpoint for each round of sealing. */
export interface AuditCheckpointsTable {
  number: number;
  /** Leaves that it covers. */
  size: number;
  at: number;
  /** The signed note. */
  note: string;
}

/** What a witness signed of a checkpoint. */
export interface AuditCosignaturesTable {
  /** Of the checkpoint. */
  number: number;
  witness: string;
  line: string;
  at: number;
}

/** How far the audit log was sent to a destination. */
export interface AuditForwardingTable {
  /** A hash of its settings. */
  destination: string;
  /** The number of the last accepted entry. */
  sent: number;
  /** Why it did not accept the last batch. */
  problem: string | null;
}

/** Work that one replica does at a certain time. Times are epoch milliseconds, in the store's clock. */
export interface DueTable {
  kind: DueKind;
  key: string;
  version: number;
  /** JSON text. */
  about: string | null;
  /** When it is done next. A claim moves it into the future. */
  at: number;
  /** When it was due first. */
  since: number;
  /** When `at` was set: if that is still to come, the clock was set back. */
  set_at: number;
  tries: number;
}

/** A hook with alerts. Updating its row first serializes its deliveries across replicas. */
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
  /** The title of its group, which a newer message is about now. */
  moved: string | null;
  ts: string | null;
  version: number;
  /** 0 before it was posted. */
  shown_version: number;
  opened_at: number;
  /** When a group last joined it. */
  folded_at: number;
  /** Groups that fire, and all that joined it. */
  firing: number;
  total: number;
}

/** A group of alerts; `id` is a hash of hook and key, `content` JSON text. */
export interface AlertGroupsTable {
  id: string;
  hook: string;
  message_id: string;
  status: AlertStatus;
  status_at: number;
  /** From the content; a storm is shown by its titles. */
  title: string;
  content: string;
  /** Of the severity in the content. */
  rank: number;
  /** JSON text: what this message has announced. */
  told: string;
  digest: string;
  /** From the last firing update. */
  firing_digest: string;
  sent_at: number | null;
  /** When its source last sent it. */
  seen_at: number;
}

export interface DeliveriesTable {
  key: string;
  expires_at: number;
  held_by: string | null;
}

/** A link to sign in by. Times are epoch milliseconds by the clock of the store, `click` and `login` JSON text. */
export interface SignInsTable {
  /** A SHA-256 hash, as is `browser`. */
  token: string;
  /** Who clicked: `T…/U…`. */
  person: string;
  browser: string | null;
  stage: 'made' | 'followed' | 'returned' | 'signed in' | 'spent';
  click: string;
  login: string | null;
  made_at: number;
  good_until: number;
}

/** One row: where the store was when a Bellhop last took it for whole. */
export interface StoreHomeTable {
  id: number;
  /** What `Database.home` tells; anything else means that this is a copy. */
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
  audit_staged: AuditStagedTable;
  audit_nodes: AuditNodesTable;
  audit_checkpoints: AuditCheckpointsTable;
  audit_cosignatures: AuditCosignaturesTable;
  audit_forwarding: AuditForwardingTable;
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
