import type { InsertObject } from 'kysely';

import { type Request, request, type RequestChanges } from '../../../model/records/request.ts';
import type { RequestRow, Schema } from '../../database/schema.ts';
import { parseRow, jsonReader, omitNulls, sanitizeText, textOrNull } from '../parse-row.ts';

const json = (value: unknown): string => JSON.stringify(value);

export const requestToRow = (of: Request): InsertObject<Schema, 'requests'> => ({
  ...changesToRow(of),
  id: sanitizeText(of.id),
  version: of.version,
  state: of.state,
  operation: sanitizeText(of.operation),
  input: json(of.input),
  words: sanitizeText(of.words),
  target: json(of.target),
  target_key: sanitizeText(of.targetKey),
  preview: json(of.preview),
  requester_team: sanitizeText(of.requester.team),
  requester_user: sanitizeText(of.requester.user),
  place: json(of.place),
  reason: textOrNull(of.reason),
  break_glass: textOrNull(of.breakGlass),
  decision: json(of.decision),
  created_at: of.createdAt,
  policy_hash: sanitizeText(of.policyHash),
  correlation_id: sanitizeText(of.correlationId),
  card: jsonIfSet(of.card),
  card_shown_version: 0,
  review_message: jsonIfSet(of.reviewMessage),
  review_closed: jsonIfSet(of.reviewClosed),
  part_of: textOrNull(of.partOf),
  approvals: json(of.approvals),
  expires_at: of.expiresAt,
  last_unknown_at: of.lastUnknownAt,
  recent_change: of.recentChange,
  lease_until: of.leaseUntil,
});

const jsonIfSet = (value: unknown): string | undefined => (value === undefined ? undefined : json(value));

/** An undefined column stays unchanged. The state is set elsewhere. */
export const changesToRow = (changes: RequestChanges) => ({
  target_key: changes.targetKey === undefined ? undefined : sanitizeText(changes.targetKey),
  decision: jsonIfSet(changes.decision),
  approvals: jsonIfSet(changes.approvals),
  expires_at: changes.expiresAt,
  decided_by: jsonIfSet(changes.decidedBy),
  decided_at: changes.decidedAt,
  note: changes.note === undefined ? undefined : sanitizeText(changes.note),
  started_at: changes.startedAt,
  runner: changes.runner,
  before: jsonIfSet(changes.before),
  ended_at: changes.endedAt,
  outcome: jsonIfSet(changes.outcome),
  settled_at: changes.outcome && (changes.outcome.settledByHand?.at ?? null),
  review: jsonIfSet(changes.review),
  rollout: jsonIfSet(changes.rollout),
  paused_at: changes.rollout && (changes.rollout.paused?.at ?? null),
});

/** @throws UnreadableRow */
export function requestFromRow(row: RequestRow): Request {
  const read = jsonReader('requests', row.id);
  const members = omitNulls({
    id: row.id,
    version: row.version,
    state: row.state,
    operation: row.operation,
    input: read('input', row.input),
    words: row.words,
    target: read('target', row.target),
    targetKey: row.target_key,
    preview: read('preview', row.preview),
    requester: { team: row.requester_team, user: row.requester_user },
    place: read('place', row.place),
    reason: row.reason,
    breakGlass: row.break_glass,
    decision: read('decision', row.decision),
    approvals: read('approvals', row.approvals),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedBy: read('decided_by', row.decided_by),
    decidedAt: row.decided_at,
    note: row.note || null,
    lastUnknownAt: row.last_unknown_at,
    recentChange: row.recent_change,
    startedAt: row.started_at,
    runner: row.runner,
    leaseUntil: row.lease_until,
    before: read('before', row.before),
    endedAt: row.ended_at,
    outcome: read('outcome', row.outcome),
    policyHash: row.policy_hash,
    correlationId: row.correlation_id,
    card: read('card', row.card),
    review: read('review', row.review),
    reviewMessage: read('review_message', row.review_message),
    reviewClosed: read('review_closed', row.review_closed),
    rollout: read('rollout', row.rollout),
    partOf: row.part_of,
  });
  return parseRow('requests', row.id, request, members);
}
