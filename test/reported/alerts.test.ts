import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createAlertHandler } from '../../src/slack/messages/alert-sync.ts';
import { alertRenderer } from '../../src/slack/messages/render-alert.ts';
import { bearer, type HookServer, openHooks, pagerDutySecret } from '../alerts/sources/hook-server.ts';
import { signature } from '../alerts/sources/bodies.ts';
import { dueQueue, type TestQueue } from '../due/due-queue.ts';
import { recordingLog } from '../log.ts';

const rules = `project: 1186668
region: 76
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }
  web-2: { id: 2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10 }
  web-3: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e11 }
hooks:
  grafana:
    secret: secret:grafana-hook
    channel: C0INC42
    kind: alertmanager
    buttons: [{ run: "/cloud reboot {target}" }]
  phones: { secret: secret:pagerduty, channel: C0INC42, kind: pagerduty }
`;

/** The deliveries of a tool, in order. `after` is in seconds since the delivery before. */
const reported = z.object({
  sentBy: z.string(),
  hook: z.string(),
  deliveries: z.array(z.object({ after: z.number(), body: z.unknown() })),
});

const read = (name: string) =>
  reported.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'alerts', `${name}.json`), 'utf8')));

interface Shown {
  text: string;
  blocks: string;
}

let stage: HookServer;
let queue: TestQueue;
/** The messages in the channel, as they look now. */
let channel: Map<string, Shown>;
beforeEach(async () => {
  stage = await openHooks(rules);
  channel = new Map();
  const { clock, store, registry, rulebook } = stage;
  const show = (ts: string, { text, blocks }: { text: string; blocks: readonly unknown[] }) => {
    channel.set(ts, { text, blocks: JSON.stringify(blocks) });
    return Promise.resolve({ channel: 'C0INC42', ts });
  };
  const api = {
    postMessage: (_: string, message: Parameters<typeof show>[1]) => show(`${channel.size + 1}`, message),
    updateMessage: async ({ ts }: { ts: string }, message: Parameters<typeof show>[1]) => {
      await show(ts, message);
    },
    channel: () => Promise.resolve({ isMember: true, isArchived: false }),
    permalink: () => Promise.resolve('https://slack.example.com/archives/C0INC42/p1'),
  };
  const render = alertRenderer({ registry, rulebook: () => rulebook, disclaimers: [] });
  const handler = createAlertHandler({ api, store, clock, render });
  queue = dueQueue(store, clock, { alert: handler }, { log: recordingLog() });
});
afterEach(() => stage.close());

async function deliver(name: string): Promise<readonly number[]> {
  const { hook, deliveries } = read(name);
  const statuses: number[] = [];
  for (const { after, body } of deliveries) {
    await stage.clock.advance(after * 1000);
    await queue.work();
    const text = JSON.stringify(body);
    const headers: Readonly<Record<string, string>> =
      hook === 'phones'
        ? { 'x-pagerduty-signature': signature(text, pagerDutySecret) }
        : { authorization: `Bearer ${bearer}` };
    statuses.push((await stage.post(hook, text, headers)).status);
    await queue.work();
  }
  for (let round = 0; round < 3; round += 1) {
    await stage.clock.advance(5_000);
    await queue.work();
  }
  return statuses;
}

const texts = () => [...channel.values()].map(({ text }) => text);

describe('when deliveries of a group follow each other, the channel shows', () => {
  const down = 'InstanceDown on';
  const moved = 'Continued below:';
  it.each<[name: string, channel: readonly string[]]>([
    ['fires-again-with-its-old-start', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-hours-later-in-grafana', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-twice-within-a-minute', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['late-copies-of-peers-after-the-end', [`Resolved: ${down} web-1`]],
    ['one-cluster-ends-while-another-burns', [`${moved} InstanceDown`, `Firing: ${down} web-2`]],
    ['two-clusters-with-one-address', [`${moved} InstanceDown`, `Firing: ${down} web-2`]],
    ['both-clusters-end', [`${moved} InstanceDown`, `Resolved: ${down} web-2`]],
    ['an-end-that-names-one-of-two', [`Firing: ${down} web-1`]],
    ['peers-of-one-cluster', [`Resolved: ${down} web-1`]],
    ['an-alert-that-is-inhibited-later', [`Resolved: ${down} web-1`]],
    ['an-end-that-is-truncated', [`Resolved: ${down} web-1`]],
    [
      'a-new-critical-alert-in-a-known-group',
      [`${moved} PodCrashLooping`, 'Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd'],
    ],
    [
      'a-second-critical-alert-instead-of-the-first',
      [`${moved} PodCrashLooping`, 'Firing: PodCrashLooping on payment-77c8d-k9qwd'],
    ],
    ['a-new-warning-in-a-known-group', ['Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd']],
    ['worse-again', [`${moved} DiskFull`, `${moved} DiskFull`, 'Firing: DiskFull on backup-3:9100']],
    ['a-target-leaves-and-comes-back', [`${moved} InstanceDown`, `Firing: ${down} web-1, backup-3:9100`]],
    [
      'a-priority-that-rises-again',
      ['Continued below: Checkout latency above 2 s', 'Firing: Checkout latency above 2 s'],
    ],
    ['an-end-overtakes-its-beginning', []],
    ['an-end-overtakes-its-beginning-among-peers', []],
    ['an-incident-reopened-after-an-unknown-end', ['Firing: Checkout latency above 2 s']],
  ])('%s', async (name, expected) => {
    const statuses = await deliver(name);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(texts()).toEqual(expected);
  });
});
