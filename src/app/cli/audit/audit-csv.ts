import type { AuditEntry } from '../../../model/audit.ts';
import { type CsvCell, csvLine } from '../../../model/report.ts';

const columns: Readonly<Record<string, (entry: AuditEntry) => CsvCell>> = {
  seq: (entry) => entry.seq,
  at: (entry) => new Date(entry.at).toISOString(),
  event: (entry) => entry.event,
  actor_team: (entry) => entry.actor?.team,
  actor_user: (entry) => entry.actor?.user,
  place_team: (entry) => entry.place?.team,
  place_channel: (entry) => entry.place?.channel,
  operation: (entry) => entry.operation,
  input: (entry) => entry.input && JSON.stringify(entry.input),
  target_kind: (entry) => entry.target?.kind,
  target_name: (entry) => entry.target?.name,
  target_key: (entry) => entry.target?.key,
  target_labels: (entry) => entry.target && JSON.stringify(entry.target.labels),
  decision: (entry) => entry.decision,
  rule: (entry) => entry.rule,
  request_id: (entry) => entry.requestId,
  outcome: (entry) => entry.outcome,
  reason: (entry) => entry.reason,
  note: (entry) => entry.note,
  service_request_id: (entry) => entry.serviceRequestId,
  correlation_id: (entry) => entry.correlationId,
  policy_hash: (entry) => entry.policyHash,
  hash: (entry) => entry.hash,
};

export const auditCsvHeader: string = csvLine(Object.keys(columns));

/** An entry as a line of CSV, times in UTC. */
export const auditCsvLine = (entry: AuditEntry): string =>
  csvLine(Object.values(columns).map((column) => column(entry)));
