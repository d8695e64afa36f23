import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseDelivery } from '../../../../src/features/alerts/sources/parse-delivery.ts';
import { hooksSection } from '../../../../src/features/alerts/group/section.ts';
import { rulesOf } from '../../../rules-of.ts';

/** The mappings that people copy. */
const example = readFileSync(join(import.meta.dirname, '../../../../examples/alerts/hooks.yaml'), 'utf8');

function hookOf(name: string) {
  const rules = rulesOf(`project: 1\nregion: 2\ninstances: { web-1: { id: w1 } }\n${example}`);
  const hooks = hooksSection.of(rules);
  return (body: object) => {
    const hook = hooks[name];
    if (!hook) throw new Error(`examples/alerts/hooks.yaml has no hook ${name}`);
    const delivery = parseDelivery(hook, rules.inventory, Buffer.from(JSON.stringify(body)));
    if (delivery.kind !== 'update') return delivery.kind;
    const { key, status, content } = delivery.update;
    return { key, status, title: content.title, target: content.targets?.[0] };
  };
}

const beat = (status: number) => ({
  heartbeat: { monitorID: 7, status, msg: 'connect ECONNREFUSED', important: true, duration: 0 },
  monitor: { id: 7, name: 'web-1', hostname: null, url: 'https://shop.example', type: 'http' },
  msg: '[web-1] [Down] connect ECONNREFUSED',
});

const zabbixEvent = (value: string) => ({
  name: 'High CPU',
  id: '42',
  value,
  host: 'web-1',
  severity: 'Disaster',
});

const alarmChange = (value: string) => ({
  'detail-type': 'CloudWatch Alarm State Change',
  resources: ['arn:aws:cloudwatch:eu-west-1:1:alarm:High CPU'],
  detail: { alarmName: 'High CPU', state: { value, reason: 'Threshold Crossed' } },
});

const sentryIssue = (action: string) => ({
  action,
  data: { issue: { id: '1170820242', title: 'TypeError: x is not a function', level: 'error' } },
});

describe("Uptime Kuma's own JSON", () => {
  const read = hookOf('uptime-kuma');
  it('fires while a monitor is down, and is over once it is up or in maintenance', () => {
    const about = { key: '7', title: 'web-1', target: 'web-1' };
    expect(read(beat(0))).toEqual({ ...about, status: 'firing' });
    expect(read(beat(1))).toEqual({ ...about, status: 'resolved', target: undefined });
    expect(read(beat(3))).toMatchObject({ status: 'resolved' });
    expect(read(beat(2))).toBe('nothing');
  });

  it('of its test button is shown', () => {
    const test = { heartbeat: null, monitor: null, msg: 'Bellhop Testing' };
    expect(read(test)).toMatchObject({ status: 'firing', title: 'Bellhop Testing' });
  });
});

it('the numbers of Zabbix fire at 1, and are over at 0', () => {
  const read = hookOf('zabbix');
  expect(read(zabbixEvent('1'))).toEqual({ key: '42', status: 'firing', title: 'High CPU', target: 'web-1' });
  expect(read(zabbixEvent('0'))).toMatchObject({ key: '42', status: 'resolved' });
});

it('an alarm of CloudWatch without data changes nothing', () => {
  const read = hookOf('cloudwatch');
  expect(read(alarmChange('ALARM'))).toMatchObject({ status: 'firing', title: 'High CPU' });
  expect(read(alarmChange('INSUFFICIENT_DATA'))).toBe('nothing');
  expect(read(alarmChange('OK'))).toMatchObject({ status: 'resolved' });
});

it('an issue of Sentry fires when it is created or comes back, and is over when it is resolved', () => {
  const read = hookOf('sentry');
  expect(read(sentryIssue('created'))).toMatchObject({ key: '1170820242', status: 'firing' });
  expect(read(sentryIssue('resolved'))).toMatchObject({ status: 'resolved' });
  expect(read(sentryIssue('assigned'))).toBe('nothing');
});
