import { type EventMeaning, type EventMeanings, meaningOf } from '../../model/audit-event.ts';
import type { AuditEntry } from '../../model/records/audit.ts';

// OCSF 1.2.0, class API Activity: https://schema.ocsf.io/1.2.0/classes/api_activity

/** Activity 99 is OCSF's "other". Its name is the event's. */
const activities = { read: [2, 'Read', 600_302], update: [3, 'Update', 600_303] } as const;
const severities = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const;
const rated = { low: 2, medium: 3, high: 4 } as const;
const statuses = { 0: 'Unknown', 1: 'Success', 2: 'Failure' } as const;

const classUid = 6003;

export const ocsfLine = (entry: AuditEntry, events: EventMeanings): string =>
  `${JSON.stringify(ocsfOf(entry, events))}\n`;

/** Fields that OCSF lacks are in `unmapped`, named as in the export. */
export function ocsfOf(entry: AuditEntry, events: EventMeanings) {
  const {
    seq,
    at,
    event,
    hash,
    actor,
    operation,
    count,
    target,
    outcome,
    error,
    note,
    correlationId,
    ...rest
  } = entry;
  return {
    metadata: {
      version: '1.2.0',
      product: { name: 'Bellhop', vendor_name: 'Bellhop' },
      log_name: 'audit',
      uid: hash ?? String(seq),
      sequence: seq,
      event_code: event,
      correlation_uid: rest.requestId || correlationId || undefined,
    },
    time: at,
    count,
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: classUid,
    class_name: 'API Activity',
    ...classified(entry, meaningOf(events, entry)),
    status_code: outcome || undefined,
    status_detail: note || error || (event === 'denied approval' && rest.reason) || undefined,
    message: [event, operation, target?.name, outcome].filter(Boolean).join(' · '),
    actor: actor
      ? { user: { uid: actor.user, type_id: 1, org: { uid: actor.team } } }
      : { invoked_by: 'Bellhop' },
    api: {
      operation: operation || event,
      service: { name: 'Bellhop' },
      request: correlationId ? { uid: correlationId } : undefined,
    },
    src_endpoint: rest.place ? { svc_name: 'slack', uid: rest.place.channel } : { svc_name: 'bellhop' },
    resources: target && [resourceOf(target)],
    unmapped: rest,
  };
}

function classified({ event, outcome }: AuditEntry, { activity, severity: given, isFailure }: EventMeaning) {
  const [id, name, type] = activity ? activities[activity] : ([99, event, 600_399] as const);
  const usual = given ? rated[given] : 1;
  const open = outcome === 'unknown';
  const status = isFailure || outcome === 'failed' ? 2 : open ? 0 : 1;
  // Failed and unknown outcomes need attention.
  const severity = (open || outcome === 'failed') && usual < 3 ? 3 : usual;
  return {
    activity_id: id,
    activity_name: name,
    type_uid: type,
    severity_id: severity,
    severity: severities[severity],
    status_id: status,
    status: statuses[status],
  } as const;
}

const resourceOf = ({ kind, name, key, labels }: NonNullable<AuditEntry['target']>) => ({
  type: kind,
  name,
  uid: key,
  labels: Object.entries(labels).map(([label, value]) => `${label}=${value}`),
});
