import type { AuditEntry, AuditEvent } from '../../model/records/audit.ts';

// OCSF 1.2.0, class API Activity: https://schema.ocsf.io/1.2.0/classes/api_activity

const activities = { 2: 'Read', 3: 'Update' } as const;
const severities = { 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High' } as const;
const statuses = { 0: 'Unknown', 1: 'Success', 2: 'Failure' } as const;

const classUid = 6003;

type Activity = keyof typeof activities | 99;
type Severity = keyof typeof severities;

/** Maps each event to an OCSF activity. Activity 99 is OCSF's "other", which is named after the event. */
const kinds: Readonly<Record<AuditEvent, readonly [activity: Activity, severity: Severity, failure?: true]>> =
  {
    read: [2, 1],
    denied: [99, 2, true],
    invalid: [99, 1, true],
    proposed: [99, 1],
    confirmed: [99, 1],
    approved: [99, 1],
    'denied approval': [99, 2],
    'approvers added': [99, 1],
    cancelled: [99, 1],
    superseded: [99, 1],
    expired: [99, 1],
    refused: [99, 2, true],
    started: [3, 1],
    ended: [3, 1],
    settled: [3, 1],
    'ignored click': [99, 2, true],
    'login refused': [99, 3, true],
    'break-glass': [99, 4],
    'review closed': [99, 1],
    'alert firing': [99, 3],
    'alert resolved': [99, 1],
    suggested: [99, 1],
    pressed: [99, 1],
    dismissed: [99, 1],
    'policy loaded': [99, 2],
    'policy rejected': [99, 3, true],
    'log adopted': [99, 3],
    'store set back': [99, 4, true],
    paused: [99, 3],
    continued: [99, 1],
    stopped: [99, 2],
    'person forgotten': [99, 2],
  };

export const ocsfLine = (entry: AuditEntry): string => `${JSON.stringify(ocsfOf(entry))}\n`;

/** Returns a sealed entry as an OCSF event. Fields that OCSF lacks are in `unmapped`, named as in the export. */
export function ocsfOf(entry: AuditEntry) {
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
    ...classified(event, outcome),
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

const types = { 2: 600_302, 3: 600_303, 99: 600_399 } as const;

function classified(event: AuditEvent, outcome: string | undefined) {
  const [activity, usual, failure = false] = kinds[event];
  const open = outcome === 'unknown';
  const status = failure || outcome === 'failed' ? 2 : open ? 0 : 1;
  // Failed and unknown outcomes need attention.
  const severity = (open || outcome === 'failed') && usual < 3 ? 3 : usual;
  return {
    activity_id: activity,
    activity_name: activity === 99 ? event : activities[activity],
    type_uid: types[activity],
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
