import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { openReported, type Reported } from './reported-hooks.ts';

let stage: Reported['stage'];
let queue: Reported['queue'];
let deliver: Reported['deliver'];
let texts: Reported['texts'];
beforeEach(async () => {
  ({ stage, queue, deliver, texts } = await openReported());
});
afterEach(() => stage.close());

describe('when deliveries of a group follow each other, the channel shows', () => {
  const down = 'InstanceDown on';
  const moved = 'Continued below:';
  it.each<[name: string, channel: readonly string[]]>([
    ['fires-again-with-its-old-start', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-hours-later-in-grafana', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-twice-within-a-minute', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['late-copies-of-peers-after-the-end', [`Resolved: ${down} web-1`]],
    ['one-cluster-ends-while-another-burns', [`${moved} ${down} web-2`, `Firing: ${down} web-2`]],
    ['two-clusters-with-one-address', [`${moved} ${down} web-2`, `Firing: ${down} web-2`]],
    ['both-clusters-end', [`${moved} ${down} web-2`, `Resolved: ${down} web-2`]],
    ['an-end-that-names-one-of-two', [`Firing: ${down} web-1`]],
    ['peers-of-one-cluster', [`Resolved: ${down} web-1`]],
    ['an-alert-that-is-inhibited-later', [`Resolved: ${down} web-1`]],
    ['an-end-that-is-truncated', [`Resolved: ${down} web-1`]],
    [
      'a-truncated-group-that-grows',
      [`${moved} ${down} db-b:9100, db-c:9100`, `Resolved: ${down} db-a:9100, db-b:9100`],
    ],
    [
      'a-new-critical-alert-in-a-known-group',
      [
        `${moved} PodCrashLooping on cart-5d9c7b-x2x4z`,
        'Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd',
      ],
    ],
    [
      'a-second-critical-alert-instead-of-the-first',
      [`${moved} PodCrashLooping on cart-5d9c7b-x2x4z`, 'Firing: PodCrashLooping on payment-77c8d-k9qwd'],
    ],
    ['a-new-warning-in-a-known-group', ['Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd']],
    [
      'worse-again',
      [
        `${moved} DiskFull on backup-3:9100`,
        `${moved} DiskFull on backup-3:9100`,
        'Firing: DiskFull on backup-3:9100',
      ],
    ],
    [
      'a-target-leaves-and-comes-back',
      [`${moved} ${down} backup-3:9100`, `Firing: ${down} web-1, backup-3:9100`],
    ],
    [
      'a-priority-that-rises-again',
      ['Continued below: Checkout latency above 2 s', 'Firing: Checkout latency above 2 s'],
    ],
    ['an-end-overtakes-its-beginning', []],
    ['an-end-and-its-beginning-in-one-moment', []],
    ['an-end-overtakes-its-beginning-among-peers', []],
    ['an-incident-reopened-after-an-unknown-end', ['Firing: Checkout latency above 2 s']],
  ])('%s', async (name, expected) => {
    const statuses = await deliver(name);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(texts()).toEqual(expected);
  });
});

it('a flood of 2,500 critical alerts that joins one group within a minute is one message', async () => {
  const alerts = Array.from({ length: 2_500 }, (_, at) => ({ instance: `node-${at}` }));
  for (let count = 100; count <= alerts.length; count += 100) {
    const body = alertmanagerBody(alerts.slice(0, count), { groupKey: '{}:{alertname="InstanceDown"}' });
    expect((await stage.post('grafana', body)).status).toBe(200);
    await stage.clock.advance(2_000);
    await queue.work();
  }
  expect(texts()).toEqual(['Firing: InstanceDown on node-0, node-1, node-2 and 2,497 more']);
});
