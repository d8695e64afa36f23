import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { alertBounds, alertContent } from '../../../../src/features/alerts/group/record.ts';
import { type Hook, hooksSection } from '../../../../src/features/alerts/group/section.ts';
import { parseDelivery } from '../../../../src/features/alerts/sources/parse-delivery.ts';
import { hostileText } from '../../../slack/hostile.ts';
import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { pagerDutyBody } from './bodies.ts';
import { rulesOf } from '../../../rules-of.ts';
import { sampleRules } from './hook-server.ts';

const rules = rulesOf(sampleRules);
const { inventory } = rules;
const hooks = hooksSection.of(rules);

function hook(name: string): Hook {
  const found = hooks[name];
  if (!found) throw new Error(`no hook ${name}`);
  return found;
}

const parsed = (name: string, body: string) => parseDelivery(hook(name), inventory, Buffer.from(body));

function updateOf(name: string, body: string) {
  const delivery = parsed(name, body);
  if (delivery.kind !== 'update') throw new Error(JSON.stringify(delivery));
  return delivery.update;
}

const digest = (...alerts: Parameters<typeof alertmanagerBody>): string =>
  updateOf('grafana', alertmanagerBody(...alerts)).digest;

const runbookOf = (...alerts: Parameters<typeof alertmanagerBody>): string | undefined =>
  updateOf('grafana', alertmanagerBody(...alerts)).content.runbook;

const genericBody = (status: unknown, more = {}) =>
  JSON.stringify({
    alert: { name: 'Disk full', id: 7 },
    state: status,
    host: 'web-1',
    url: 'https://monitor.example/7',
    level: 'warning',
    items: [{ text: '98 %' }],
    ...more,
  });

describe("Alertmanager's body", () => {
  it('is read as a group, with what people see of it', () => {
    const body = alertmanagerBody([{ instance: 'web-2', status: 'resolved' }, { severity: 'critical' }]);
    expect(updateOf('grafana', body)).toMatchObject({
      key: '{}:{alertname="InstanceDown", instance="web-2"}',
      status: 'firing',
      content: {
        title: 'InstanceDown',
        text: 'web-1 does not answer',
        severity: 'critical',
        link: 'https://prometheus.example/graph?g0.expr=up&instance=web-1',
        since: Date.UTC(2026, 10, 21, 2, 58),
        firing: 1,
        total: 2,
        alerts: [
          {
            status: 'firing',
            labels: { instance: 'web-1' },
            summary: 'web-1 does not answer',
          },
          { status: 'resolved', labels: { instance: 'web-2' } },
        ],
      },
    });
  });

  it('tells something new by a measured value, another alert, status or beginning, not by where it comes from', () => {
    const first = digest([{}, { instance: 'web-2' }]);
    const group = { groupKey: 'the same' };
    const again = updateOf(
      'grafana',
      alertmanagerBody([{}], { ...group, externalURL: 'https://peer.example' }),
    );
    expect(again.digest).toBe(digest([{}], group));
    expect(digest([{ summary: '93.2 %' }, { instance: 'web-2' }])).not.toBe(first);
    expect(digest([{}])).not.toBe(first);
    expect(digest([{}, { instance: 'web-2', status: 'resolved' }])).not.toBe(first);
    expect(digest([{}, { instance: 'web-2', startsAt: '2026-11-21T03:00:00Z' }])).not.toBe(first);
  });

  it('keeps the labels that the hook asks for, however many there are', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, 'x']));
    const body = alertmanagerBody([{}], {
      alerts: [{ status: 'firing', labels: { ...many, host: 'web-1' }, annotations: {} }],
    });
    const [alert] = updateOf('grafana', body).content.alerts;
    expect(Object.keys(alert?.labels ?? {})).toHaveLength(alertBounds.labels);
    expect(alert?.labels['host']).toBe('web-1');
  });

  it('of thousands names those about a target and the worst first, and is as bad as the worst', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ instance: `node-${at}`, severity: 'warning' }));
    const body = alertmanagerBody([
      ...many,
      { instance: 'node-db', severity: 'critical' },
      { instance: 'web-2:9100', severity: 'info' },
      { instance: 'web-1', severity: 'critical', status: 'resolved' },
    ]);
    const { content } = updateOf('grafana', body.replace('"commonLabels":', '"ignored":'));
    expect(content).toMatchObject({ severity: 'critical', targets: ['web-2'], firing: 502 });
    const names = content.alerts.map(({ labels }) => labels['instance']);
    expect(names.slice(0, 3)).toEqual(['web-2:9100', 'node-db', 'node-0']);
  });

  it('with more alerts than anyone sends is read in part, and counted whole', () => {
    const alerts = Array.from({ length: 12_000 }, () => ({ status: 'firing', labels: {} }));
    const { content } = updateOf('grafana', alertmanagerBody([{}], { alerts, truncatedAlerts: 5 }));
    expect([content.firing, content.total]).toEqual([10_000, 12_005]);
  });

  it('that counts more alerts than can be counted can be stored and shown all the same', () => {
    const body = alertmanagerBody([{}], { truncatedAlerts: Number.MAX_SAFE_INTEGER });
    const { content } = updateOf('grafana', body);
    expect(alertContent.safeParse(JSON.parse(JSON.stringify(content))).data).toEqual(content);
  });

  it.each(['ftp://alertmanager.example', 'javascript:alert(1)', 'https://user:pass@evil.example', 'x'])(
    'has no link where that is %s',
    (address) => {
      const alerts = [{ status: 'firing', labels: {}, annotations: {}, generatorURL: address }];
      expect(updateOf('grafana', alertmanagerBody([{}], { alerts, externalURL: address })).content.link).toBe(
        undefined,
      );
    },
  );

  it('has the runbook of the whole group, else of the first alert that it names', () => {
    const [common, own] = ['https://runbooks.example/common', 'https://runbooks.example/own#down'];
    expect(runbookOf([{ runbook: own }])).toBe(own);
    expect(runbookOf([{ instance: 'other' }, { runbook: own }], { commonAnnotations: {} })).toBe(own);
    expect(runbookOf([{ runbook: own }], { commonAnnotations: { runbook_url: common } })).toBe(common);
    expect(runbookOf([{ status: 'resolved', runbook: own }, { instance: 'web-2' }])).toBe(undefined);
    expect(runbookOf([{}])).toBe(undefined);
  });

  it.each([
    'http://runbooks.example',
    'javascript:alert(1)',
    'https://user:pass@evil.example',
    'docs/runbook.md#bellhopdown',
    '',
    `https://runbooks.example/${'x'.repeat(alertBounds.runbook)}`,
    `https://runbooks.example/${'ä'.repeat(alertBounds.runbook / 4)}`,
  ])('has no runbook if that is %s', (runbook) => {
    expect(runbookOf([{ runbook }])).toBe(undefined);
  });

  it('of Grafana is read as well, with the dashboard', () => {
    const body = alertmanagerBody([{}], {
      version: '1',
      orgId: 1,
      title: '[FIRING:1] InstanceDown',
      state: 'alerting',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'InstanceDown', host: 'web-1' },
          annotations: { summary: 'down', values: { B: 1 } },
          startsAt: '2026-11-21T02:58:00Z',
          values: { B: 22 },
          dashboardURL: 'https://grafana.example/d/abc',
          fingerprint: 'c6eadffa33fcdf37',
        },
      ],
    });
    expect(updateOf('grafana', body).content).toMatchObject({
      title: 'InstanceDown',
      link: 'https://grafana.example/d/abc',
      alerts: [{ labels: { host: 'web-1' } }],
    });
  });
});

describe("PagerDuty's event", () => {
  it('is read as an incident, by its own status', () => {
    expect(updateOf('phones', pagerDutyBody())).toMatchObject({
      key: 'PGR0VU2',
      status: 'firing',
      digest: '01DEN4HPBQAAAG05V5QQYBRZMF',
      sentAt: Date.UTC(2026, 10, 21, 2, 59),
      content: {
        title: 'A little bump in the road',
        severity: 'P1',
        link: 'https://acme.pagerduty.com/incidents/PGR0VU2',
        alerts: [{ labels: { service: 'web-1', urgency: 'high' } }],
      },
    });
    const acknowledged = updateOf('phones', pagerDutyBody({ status: 'acknowledged' }));
    expect(acknowledged).toMatchObject({ status: 'firing', content: { note: 'acknowledged by Alice' } });
    expect(updateOf('phones', pagerDutyBody({ status: 'resolved' }))).toMatchObject({ status: 'resolved' });
  });

  it('about something else tells nothing', () => {
    expect(parsed('phones', pagerDutyBody({ type: 'incident_note' }))).toEqual({ kind: 'nothing' });
  });
});

describe('a body with a mapping', () => {
  it('is read by its paths', () => {
    expect(updateOf('own', genericBody('PROBLEM'))).toMatchObject({
      key: '7',
      status: 'firing',
      content: {
        title: 'Disk full',
        text: '98 %',
        severity: 'warning',
        link: 'https://monitor.example/7',
        alerts: [{ labels: { alertname: 'Disk full', instance: 'web-1', severity: 'warning' } }],
      },
    });
  });

  it.each(['resolved', 'OK', 'Closed', ' recovered ', 'up'])('is over by the status “%s”', (status) => {
    expect(updateOf('own', genericBody(status)).status).toBe('resolved');
  });

  it('tells nothing new by a status of no data, whatever it was before', () => {
    expect(parsed('own', genericBody('INSUFFICIENT_DATA'))).toEqual({ kind: 'nothing' });
  });

  it('fires in doubt, and is identified by its title if it has no other key', () => {
    expect(updateOf('own', JSON.stringify({ alert: { name: 'Disk full' } }))).toMatchObject({
      key: 'Disk full',
      status: 'firing',
    });
  });

  it('without a title is refused with the place where it should stand', () => {
    const problem = 'no text at alert.name';
    expect(parsed('own', '{"alert":{"name":{}}}')).toEqual({ kind: 'malformed', problem });
    expect(parsed('own', '{"alert":{"__proto__":{"name":"x"}}}')).toEqual({ kind: 'malformed', problem });
  });
});

const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value));
const hostileAlerts = fc
  .record({ alertname: hostileText, instance: hostileText, summary: hostileText, severity: hostileText })
  .map((alert) => alertmanagerBody([alert]));

describe('whatever comes', () => {
  it('is read or refused, never thrown at, and cut to what is kept', () => {
    const bodies = fc.oneof(
      json,
      fc.string(),
      hostileAlerts,
      hostileText.map((title) => pagerDutyBody({ title })),
    );
    fc.assert(
      fc.property(fc.constantFrom('grafana', 'phones', 'own'), bodies, (name, body) => {
        const delivery = parsed(name, body);
        if (delivery.kind !== 'update') return;
        const { content } = delivery.update;
        expect(content.title.length).toBeLessThanOrEqual(alertBounds.title);
        expect(JSON.stringify(content).length).toBeLessThan(40_000);
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
    );
  });
});
