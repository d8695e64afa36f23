import { type AuditDraft, type AuditEntry, auditEntry, type KeptEntry } from '../../core/audit/audit.ts';
import type { AuditRow } from '../schema.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { parseRow, jsonReader, UnreadableRow } from './parse-row.ts';

const textOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : sanitizeText(text);

/** The columns that repeat what the draft says, to search by. */
const searched = (draft: AuditDraft) => ({
  event: draft.event,
  at: draft.at,
  actor_team: textOrNull(draft.actor?.team),
  actor_user: textOrNull(draft.actor?.user),
  target_name: textOrNull(draft.target?.name),
  request_id: textOrNull(draft.requestId),
});

/** @param latestAt the greatest `at` of this entry and all before it */
export const entryToRow = ({ entry, text }: KeptEntry, latestAt: number): AuditRow => ({
  seq: entry.seq,
  previous_hash: entry.previousHash,
  hash: entry.hash,
  draft: text,
  ...searched(entry),
  latest_at: latestAt,
});

/** @throws UnreadableRow where the row is no entry, or its searched columns do not say what the entry says */
export function entryFromRow(row: AuditRow): AuditEntry {
  const draft = jsonReader('audit', row.seq)('draft', row.draft);
  const members = typeof draft === 'object' ? draft : {};
  const entry = parseRow('audit', row.seq, auditEntry, {
    ...members,
    seq: row.seq,
    previousHash: row.previous_hash,
    hash: row.hash,
  });
  const column = misleadingColumn(row, entry);
  if (column) throw new UnreadableRow('audit', row.seq, column, 'does not say what the entry says');
  return entry;
}

function misleadingColumn(row: AuditRow, entry: AuditEntry): string | undefined {
  const said = searched(entry);
  if (row.event !== said.event) return 'event';
  if (row.at !== said.at) return 'at';
  if (row.actor_team !== said.actor_team) return 'actor_team';
  if (row.actor_user !== said.actor_user) return 'actor_user';
  if (row.target_name !== said.target_name) return 'target_name';
  if (row.request_id !== said.request_id) return 'request_id';
  return row.latest_at < said.at ? 'latest_at' : undefined;
}
