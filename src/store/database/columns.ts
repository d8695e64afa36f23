import type { Schema } from './schema.ts';

interface Columns {
  /** These may contain the id of a person, and `npm run store -- forget` looks into them. */
  readonly people?: string;
  /** These contain no person. */
  readonly others: string;
}

/** A new column is named here, too: a test compares these with the real tables. */
const declared = {
  requests: {
    people:
      'requester_user words input target target_key preview place reason break_glass before decision approvals decided_by note outcome review review_closed rollout press',
    others:
      'id version state operation requester_team created_at expires_at decided_at last_unknown_at started_at runner lease_until ended_at settled_at policy_hash correlation_id card card_shown_version review_message paused_at part_of',
  },
  alert_groups: {
    people: 'title content told',
    others: 'id hook message_id status status_at rank digest firing_digest sent_at seen_at',
  },
  sign_ins: { people: 'person click login', others: 'token browser stage made_at good_until' },
  // The log proves who acted, and its reasons are removed by themselves.
  audit: {
    others: 'seq hash draft event at actor_team actor_user target_name request_id reason_hash latest_at',
  },
  audit_staged: { others: 'id draft event at actor_team actor_user target_name request_id reason_hash' },
  audit_reasons: { others: 'hash typed' },
  audit_head: { others: 'id seq latest_at edge' },
  audit_nodes: { others: 'level place hash' },
  audit_checkpoints: { others: 'number size at note' },
  audit_cosignatures: { others: 'number witness line at' },
  // Rows of these are removed within days.
  deliveries: { others: 'key expires_at held_by' },
  due: { others: 'kind key version about at since set_at tries' },
  alert_hooks: { others: 'hook updated_at' },
  alert_messages: {
    people: 'moved',
    others: 'id hook channel kind tier ts version shown_version opened_at folded_at firing total',
  },
  store_home: { others: 'id home' },
  schema_version: { others: 'number name' },
} as const satisfies Readonly<Record<keyof Schema, Columns>>;

export type PeopleTable = {
  [T in keyof typeof declared]: (typeof declared)[T] extends { people: string } ? T : never;
}[keyof typeof declared];

const listed = (names = ''): readonly string[] => names.split(' ').filter((name) => name !== '');

export const peopleColumns = (table: PeopleTable): readonly string[] => listed(declared[table].people);

/** The names of all columns, by table. */
export const allColumns: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<Columns>(declared).map(([table, { people, others }]) => [
    table,
    [...listed(people), ...listed(others)],
  ]),
);
