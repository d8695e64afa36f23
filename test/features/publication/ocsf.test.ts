import { describe, expect, it } from 'vitest';

import { events } from '../../../src/features/index.ts';
import { ocsfOf } from '../../../src/features/publication/ocsf.ts';
import { type AuditEntry, auditEntry } from '../../../src/model/records/audit.ts';
import { ocsfEvent } from '../../ocsf-event.ts';
import { alice } from '../../people.ts';

const aReboot: AuditEntry = {
  seq: 1042,
  hash: 'ab'.repeat(32),
  at: 1_790_000_000_000,
  event: 'ended',
  actor: alice,
  place: { team: 'T0LOCAL', channel: 'C0OPS', thread: '1.2' },
  operation: 'cloud.reboot',
  input: { instance: 'web-1' },
  target: { kind: 'instance', name: 'web-1', key: 'instance:1:76:id-1', labels: { env: 'staging' } },
  decision: 'confirm',
  rule: 'rule 3',
  requestId: 'r-1',
  outcome: 'succeeded',
  reason: 'it hangs',
  serviceRequestId: 'svc-1',
  correlationId: 'c-1',
  policyHash: 'policy',
};

describe('an entry as OCSF', () => {
  it('is an API activity with who, what, on what, where from, and all of the rest unmapped', () => {
    expect(JSON.parse(JSON.stringify(ocsfOf(aReboot, events)))).toMatchInlineSnapshot(`
      {
        "activity_id": 3,
        "activity_name": "Update",
        "actor": {
          "user": {
            "org": {
              "uid": "T0LOCAL",
            },
            "type_id": 1,
            "uid": "U0ALICE",
          },
        },
        "api": {
          "operation": "cloud.reboot",
          "request": {
            "uid": "c-1",
          },
          "service": {
            "name": "Bellhop",
          },
        },
        "category_name": "Application Activity",
        "category_uid": 6,
        "class_name": "API Activity",
        "class_uid": 6003,
        "message": "ended · cloud.reboot · web-1 · succeeded",
        "metadata": {
          "correlation_uid": "r-1",
          "event_code": "ended",
          "log_name": "audit",
          "product": {
            "name": "Bellhop",
            "vendor_name": "Bellhop",
          },
          "sequence": 1042,
          "uid": "abababababababababababababababababababababababababababababababab",
          "version": "1.2.0",
        },
        "resources": [
          {
            "labels": [
              "env=staging",
            ],
            "name": "web-1",
            "type": "instance",
            "uid": "instance:1:76:id-1",
          },
        ],
        "severity": "Informational",
        "severity_id": 1,
        "src_endpoint": {
          "svc_name": "slack",
          "uid": "C0OPS",
        },
        "status": "Success",
        "status_code": "succeeded",
        "status_id": 1,
        "time": 1790000000000,
        "type_uid": 600303,
        "unmapped": {
          "decision": "confirm",
          "input": {
            "instance": "web-1",
          },
          "place": {
            "channel": "C0OPS",
            "team": "T0LOCAL",
            "thread": "1.2",
          },
          "policyHash": "policy",
          "reason": "it hangs",
          "requestId": "r-1",
          "rule": "rule 3",
          "serviceRequestId": "svc-1",
        },
      }
    `);
  });

  it.each([...events.keys(), 'event of another build'].map((name) => auditEntry.shape.event.parse(name)))(
    'follows the schema for “%s”',
    (event) => {
      const { seq, hash, at, policyHash } = aReboot;
      for (const entry of [
        { ...aReboot, event },
        { seq, hash, at, policyHash, event },
      ]) {
        expect(ocsfEvent.parse(ocsfOf(entry, events))).toMatchObject({
          metadata: { sequence: 1042, event_code: event },
        });
      }
    },
  );

  it.each<[Partial<AuditEntry>, status: string, severity: string, activity: string]>([
    [{ event: 'ended', outcome: 'succeeded' }, 'Success', 'Informational', 'Update'],
    [{ event: 'ended', outcome: 'failed' }, 'Failure', 'Medium', 'Update'],
    [{ event: 'ended', outcome: 'unknown' }, 'Unknown', 'Medium', 'Update'],
    [{ event: 'read', outcome: 'answered' }, 'Success', 'Informational', 'Read'],
    [{ event: 'denied', outcome: undefined }, 'Failure', 'Low', 'denied'],
    [{ event: 'store set back', outcome: undefined }, 'Failure', 'High', 'store set back'],
  ])('%o is a %s of severity %s, as %s', (of, status, severity, activity) => {
    expect(ocsfOf({ ...aReboot, ...of }, events)).toMatchObject({
      status,
      severity,
      activity_name: activity,
    });
  });
});
