import type { Generated, Selectable } from 'kysely';

import type { OfferStatus, OfferTier } from '../../model/records/offer.ts';
import type { AuditEvent } from '../../model/records/audit.ts';
import type { DueKind } from '../../model/records/due.ts';
import type { State } from '../../model/records/request.ts';

/**
 * `!` means not null, `key` a text primary key, `number` an integer primary key, and `serial` a key that the database gives. `people` is
 * text that may contain a person's id, so `npm run store -- forget` searches it. `plain` is text without a person, or text that proves who
 * acted.
 */
interface Kinds {
  key: string;
  number: number;
  serial: Generated<number>;
  plain: string | null;
  'plain!': string;
  people: string | null;
  'people!': string;
  bigint: number | null;
  'bigint!': number;
  'integer!': number;
}

type Columns = Readonly<Record<string, keyof Kinds>>;

const searched = {
  event: 'plain!',
  at: 'bigint!',
  actor_team: 'plain',
  actor_user: 'plain',
  target_name: 'plain',
  request_id: 'plain',
  // The text is in `audit_reasons` until someone removes it.
  reason_hash: 'plain',
} as const;

/** Of the first migration. Times are epoch milliseconds, and structured values are JSON text. */
export const firstTables = {
  requests: {
    id: 'key',
    version: 'integer!',
    state: 'plain!',
    operation: 'plain!',
    input: 'people!',
    words: 'people!',
    target: 'people!',
    target_key: 'people!',
    preview: 'people!',
    requester_team: 'plain!',
    requester_user: 'people!',
    place: 'people!',
    reason: 'people',
    break_glass: 'people',
    decision: 'people!',
    approvals: 'people!',
    created_at: 'bigint!',
    expires_at: 'bigint!',
    decided_by: 'people',
    decided_at: 'bigint',
    note: 'people',
    last_unknown_at: 'bigint',
    started_at: 'bigint',
    runner: 'plain',
    // By the database's clock.
    lease_until: 'bigint',
    before: 'people',
    ended_at: 'bigint',
    outcome: 'people',
    // By a person.
    settled_at: 'bigint',
    policy_hash: 'plain!',
    correlation_id: 'plain!',
    card: 'plain',
    // 0 before the card was posted.
    card_shown_version: 'integer!',
    review: 'people',
    review_message: 'plain',
    review_closed: 'people',
    rollout: 'people',
    paused_at: 'bigint',
    part_of: 'plain',
    // Identifies the button or form and the person, as long as another press counts as the same one.
    press: 'people',
  },
  audit: {
    seq: 'number',
    // Of the leaf, in hexadecimal. Covers the draft, which is canonical JSON.
    hash: 'plain!',
    draft: 'plain!',
    ...searched,
    // The greatest `at` so far. It grows with `seq` even if clocks step back, so a bound on the time becomes a bound on `seq`.
    latest_at: 'bigint!',
  },
  // Committed with a step and not numbered yet. Within a request, in order of `id`.
  audit_staged: { draft: 'plain!', ...searched, id: 'serial' },
  // Texts that people typed, each with a salt: the only part of the log that may be removed.
  audit_reasons: { hash: 'key', typed: 'plain!' },
  // Complete subtrees of 256^level leaves, from level 1. `place` counts from the left, from 0.
  audit_nodes: { level: 'integer!', place: 'bigint!', hash: 'plain!' },
  audit_checkpoints: { number: 'number', size: 'bigint!', at: 'bigint!', note: 'plain!' },
  audit_cosignatures: { number: 'integer!', witness: 'plain!', line: 'plain!', at: 'bigint!' },
  deliveries: { key: 'key', expires_at: 'bigint!', held_by: 'plain' },
  // By the store's clock.
  due: {
    kind: 'plain!',
    key: 'people!',
    version: 'integer!',
    about: 'people',
    // When the work is due next. A claim moves this into the future. Resting work has no time.
    at: 'bigint',
    since: 'bigint!',
    // When `at` was set. If this is in the future, the clock was set back.
    set_at: 'bigint!',
    tries: 'integer!',
  },
  // Each delivery updates its hook's row first, so that replicas take turns.
  alert_hooks: { hook: 'key', updated_at: 'bigint!' },
  // About a group of alerts, or about a storm.
  alert_messages: {
    id: 'key',
    hook: 'plain!',
    channel: 'plain!',
    kind: 'plain!',
    tier: 'plain!',
    // The title of the group that a newer message took over.
    moved: 'people',
    ts: 'plain',
    version: 'integer!',
    // 0 before the message was posted.
    shown_version: 'integer!',
    opened_at: 'bigint!',
    // When a group last joined the message.
    folded_at: 'bigint!',
    // Firing groups, and all groups that joined.
    firing: 'integer!',
    total: 'integer!',
  },
  // `id` is a hash of hook and key.
  alert_groups: {
    id: 'key',
    hook: 'plain!',
    message_id: 'plain!',
    status: 'plain!',
    status_at: 'bigint!',
    // As in the content. The message of a storm shows these titles.
    title: 'people!',
    content: 'people!',
    rank: 'integer!',
    // The announcements of the message about this group.
    told: 'people!',
    digest: 'plain!',
    // Of the alerts in the last update and when each began. Empty if the source does not say.
    firing_digest: 'plain!',
    sent_at: 'bigint',
    // When the source last sent the group.
    seen_at: 'bigint!',
  },
  // `token` and `browser` are SHA-256 hashes, and `person` is who clicked, as `T…/U…`.
  sign_ins: {
    token: 'key',
    person: 'people!',
    browser: 'plain',
    stage: 'plain!',
    click: 'people!',
    login: 'people',
    made_at: 'bigint!',
    good_until: 'bigint!',
  },
  // One row. Each sealer updates it first, so that only one replica seals at a time. `edge` is that of the newest tree.
  audit_head: { id: 'number', seq: 'integer!', latest_at: 'bigint!', edge: 'plain!' },
  // One row: `Database.home` when the store was last known to be complete. If the home differs, this database is a copy.
  store_home: { id: 'number', home: 'plain!' },
  schema_version: { number: 'number', name: 'plain!' },
} as const satisfies Readonly<Record<string, Columns>>;

/** Set while a person waits: when the process that handles the delivery counts as dead, by the store's clock. */
export const heldColumns = { until: 'bigint', set_at: 'bigint', about: 'people' } as const satisfies Columns;

/** The id of a request. */
export const recentColumns = { recent_change: 'plain' } as const satisfies Columns;

/** Set once a message's group has a newer message: the group, and its content at that time. */
export const leftColumns = { left_group: 'plain', left_content: 'people' } as const satisfies Columns;

type AllColumns = Readonly<Record<keyof typeof firstTables, Columns>>;

/** Of the newest migration. */
export const tables = {
  ...firstTables,
  requests: { ...firstTables.requests, ...recentColumns },
  deliveries: { ...firstTables.deliveries, ...heldColumns },
  alert_messages: { ...firstTables.alert_messages, ...leftColumns },
} as const satisfies AllColumns;

type Tables = typeof tables;

interface Narrower {
  requests: { state: State };
  audit: { event: AuditEvent };
  audit_staged: { event: AuditEvent };
  due: { kind: DueKind };
  alert_messages: { kind: 'group' | 'storm'; tier: OfferTier };
  alert_groups: { status: OfferStatus };
  sign_ins: { stage: 'made' | 'followed' | 'returned' | 'signed in' | 'spent' };
}

type ValueOf<T extends keyof Tables, C extends keyof Tables[T]> = T extends keyof Narrower
  ? C extends keyof Narrower[T]
    ? Narrower[T][C]
    : Kinds[Tables[T][C] & keyof Kinds]
  : Kinds[Tables[T][C] & keyof Kinds];

export type Schema = {
  [T in keyof Tables]: { -readonly [C in keyof Tables[T]]: ValueOf<T, C> };
};

export type RequestRow = Selectable<Schema['requests']>;
export type DueRow = Selectable<Schema['due']>;
export type AlertGroupRow = Selectable<Schema['alert_groups']>;
export type AlertMessageRow = Selectable<Schema['alert_messages']>;
export type AuditRow = Selectable<Schema['audit']>;

const compositeKeys: Readonly<Record<string, readonly string[]>> = {
  audit_nodes: ['level', 'place'],
  audit_cosignatures: ['number', 'witness'],
  due: ['kind', 'key'],
};

export const columnsOf = (
  table: keyof Tables,
  of: AllColumns = tables,
): readonly (readonly [name: string, kind: keyof Kinds])[] => Object.entries(of[table]);

export const keyOf = (table: keyof Tables): readonly string[] =>
  compositeKeys[table] ??
  columnsOf(table).flatMap(([name, kind]) => (['key', 'number', 'serial'].includes(kind) ? [name] : []));

/** May contain a person's id. */
export const peopleColumns = (table: keyof Tables): readonly string[] =>
  columnsOf(table).flatMap(([name, kind]) => (kind.startsWith('people') ? [name] : []));
