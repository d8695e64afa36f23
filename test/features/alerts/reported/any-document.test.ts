import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { foldGroup } from '../../../../src/features/alerts/group/fold.ts';
import { parseDelivery } from '../../../../src/features/alerts/sources/parse-delivery.ts';
import { alertContent } from '../../../../src/features/alerts/group/record.ts';
import { openReported, type Reported } from './reported-hooks.ts';
import { hooksSection } from '../../../../src/features/alerts/group/section.ts';

let stage: Reported['stage'];
beforeEach(async () => {
  ({ stage } = await openReported());
});
afterEach(() => stage.close());

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 200);
const anyText = fc.oneof(fc.string(), fc.constantFrom('web-1', 'critical', 'InstanceDown', ''));
const labels = fc.dictionary(
  fc.constantFrom('alertname', 'instance', 'severity', 'pod', 'node', '__proto__', 'zone'),
  anyText,
  { noNullPrototype: true },
);
const moment = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const amAlert = {
  status: fc.constantFrom('firing', 'resolved'),
  labels,
  annotations: labels,
  startsAt: moment,
  endsAt: moment,
  generatorURL: fc.webUrl(),
  fingerprint: fc.stringMatching(/^[0-9a-f]{16}$/u),
};
const amDelivery = {
  version: fc.constant('4'),
  groupKey: fc.string({ minLength: 1 }),
  truncatedAlerts: fc.nat(),
  status: fc.constantFrom('firing', 'resolved'),
  receiver: fc.string(),
  groupLabels: labels,
  commonLabels: labels,
  commonAnnotations: labels,
  externalURL: fc.webUrl(),
  alerts: fc.array(fc.record(amAlert), { minLength: 1, maxLength: 12 }),
};
const grafanaAlert = fc.record({
  ...amAlert,
  values: fc.constant({ B: 22.5 }),
  valueString: fc.string(),
  dashboardURL: fc.constantFrom('', 'https://grafana.example/d/abc'),
  panelURL: fc.constantFrom('', 'https://grafana.example/d/abc?viewPanel=1'),
  silenceURL: fc.webUrl(),
});
const grafanaDelivery = fc.record({
  ...amDelivery,
  version: fc.constant('1'),
  alerts: fc.array(grafanaAlert, { minLength: 1, maxLength: 12 }),
  orgId: fc.nat(),
  title: fc.string(),
  state: fc.constantFrom('alerting', 'ok'),
  message: fc.string(),
});
const reference = fc.option(
  fc.record({ id: fc.string(), summary: fc.string(), type: fc.constant('x_reference') }),
);
const pagerDutyDelivery = fc.record({
  event: fc.record({
    id: fc.string({ minLength: 1 }),
    event_type: fc.constantFrom(
      'incident.triggered',
      'incident.resolved',
      'incident.priority_updated',
      'pagey.ping',
      'service.updated',
    ),
    resource_type: fc.constantFrom('incident', 'service', 'pagey'),
    occurred_at: moment,
    agent: reference,
    client: fc.option(fc.record({ name: fc.string() })),
    data: fc.oneof(
      fc.record({
        id: fc.string({ minLength: 1 }),
        type: fc.constant('incident'),
        status: fc.constantFrom('triggered', 'acknowledged', 'resolved'),
        title: fc.string(),
        html_url: fc.webUrl(),
        created_at: moment,
        urgency: fc.constantFrom('high', 'low'),
        priority: reference,
        service: reference,
        resolve_reason: fc.option(
          fc.record({ type: fc.constant('merge_resolve_reason'), incident: reference }),
        ),
      }),
      fc.record({ type: fc.constantFrom('service', 'ping', 'incident_note') }),
    ),
  }),
});

const parse = (hook: string, body: unknown) => {
  const { inventory } = stage.rulebook;
  const known = hooksSection.of(stage.rulebook)[hook];
  if (!known) throw new Error(`no hook ${hook}`);
  return parseDelivery(known, inventory, Buffer.from(JSON.stringify(body)));
};

describe('any document of the format is read or refused by name', () => {
  const now = Date.UTC(2026, 10, 21, 3, 0);
  const quiet = { own: [], storms: [] };

  it('of Alertmanager and Grafana, and all that fires is counted, even after another update', () => {
    const deliveries = fc.oneof(fc.record(amDelivery), grafanaDelivery);
    fc.assert(
      fc.property(deliveries, deliveries, (one, other) => {
        const [first, second] = [parse('nodes', one), parse('nodes', other)];
        if (first.kind !== 'update' || second.kind !== 'update') throw new Error('not read');
        const { update, told } = foldGroup(first.update, undefined, quiet, now);
        const known = { ...update, statusAt: now, told, beginnings: update.beginnings ?? '', openedAt: now };
        const united = foldGroup(second.update, known, quiet, now + 60_000);
        const ids = new Set(other.alerts.map(({ fingerprint }) => fingerprint));
        const left = new Set(
          one.status === 'firing'
            ? one.alerts.flatMap(({ status, fingerprint }) =>
                status === 'firing' && !ids.has(fingerprint) ? [fingerprint] : [],
              )
            : [],
        );
        // Fingerprints are random, so no update is a newer one of the same sender.
        expect(left.size === 0 || united.update.status === 'firing').toBe(true);
        expect(new Set(united.told.firing?.map(({ id }) => id) ?? []).isSupersetOf(left)).toBe(true);
        expect(alertContent.safeParse(JSON.parse(JSON.stringify(united.update.content))).success).toBe(true);
      }),
      { numRuns },
    );
  });

  it('of PagerDuty', () => {
    fc.assert(
      fc.property(pagerDutyDelivery, (body) => {
        const isIncident = body.event.data.type === 'incident';
        expect(parse('phones', body).kind).toBe(isIncident ? 'update' : 'nothing');
      }),
      { numRuns },
    );
  });

  it('of anything else is refused with the place that is wrong', () => {
    expect(parse('grafana', { version: '4', groupKey: 'a', status: 'firing' })).toEqual({
      kind: 'malformed',
      problem: 'alerts is invalid for this kind of hook',
    });
  });
});
