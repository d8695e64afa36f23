import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { renderAlert } from '../../../../src/features/alerts/render.ts';
import type { OfferMessage } from '../../../../src/model/records/offer.ts';
import { createOfferHandler } from '../../../../src/slack/messages/offer-sync.ts';
import { delayOf } from '../../../../src/slack/web-api/slack-error.ts';
import { dueQueue, type TestQueue } from '../../../due/due-queue.ts';
import { createSlackLanes, type SlackLanes } from '../../../../src/slack/web-api/web-client.ts';
import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { type HookServer, openHooks } from '../sources/hook-server.ts';
import { type FakeSlack, fakeSlack, ok, refused, status } from '../../../slack/fake-slack.ts';
import { recordingLog } from '../../../log.ts';
import { dueKind } from '../../../../src/model/records/due.ts';

let stage: HookServer;
let slack: FakeSlack;
let lanes: SlackLanes;
let queues: readonly TestQueue[];
beforeEach(async () => {
  [stage, slack] = await Promise.all([openHooks(), fakeSlack()]);
  const { clock, store, registry, rulebook } = stage;
  const log = recordingLog();
  lanes = createSlackLanes({ token: () => 'xoxb-token', slackApiUrl: slack.apiUrl, clock, log });
  const render = async (message: OfferMessage) =>
    renderAlert({ registry, rulebook: () => rulebook, disclaimers: [] }, message);
  const queue = () =>
    dueQueue(store, clock, [createOfferHandler({ api: lanes.background, store, clock, render })], {
      log,
      delayOf,
    });
  // Two replicas on one store.
  queues = [queue(), queue()];
});
afterEach(async () => {
  await lanes.close();
  await slack.close();
  await stage.close();
});

const posted = ok({ channel: 'C0INC42', ts: '1.1' });

/** Advances the time while both replicas show due messages, until none is left. */
async function settle(): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    await Promise.all(queues.map((queue) => queue.work()));
    await stage.clock.advance(5_000);
  }
}

const calls = (method: string) => slack.calls.filter(({ path }) => path.endsWith(method));
const texts = (method: string) => calls(method).map(({ fields }) => String(fields['text']));

async function storm(count: number, state: 'firing' | 'resolved'): Promise<void> {
  for (let at = 0; at < count; at += 100) {
    const some = Array.from({ length: Math.min(100, count - at) }, (_, index) => `node-${at + index}`);
    await Promise.all(
      some.map((instance) => stage.post('grafana', alertmanagerBody([{ instance, status: state }]))),
    );
  }
}

describe('messages about alerts', () => {
  it('are posted once by two replicas, and edited after that', async () => {
    slack.answers = [posted];
    await stage.post('grafana', alertmanagerBody());
    await settle();
    await stage.post('grafana', alertmanagerBody());
    await settle();
    await stage.post('grafana', alertmanagerBody([{ status: 'resolved' }]));
    await settle();
    expect(texts('chat.postMessage')).toEqual(['Firing: InstanceDown on web-1 (critical)']);
    expect(texts('chat.update')).toEqual(['Resolved: InstanceDown on web-1']);
    expect(calls('chat.update')[0]?.fields).toMatchObject({ channel: 'C0INC42', ts: 1.1 });
  });

  it.each([
    ['where the bot is not in the channel', ok({ channel: { is_member: false } }), 1],
    ['where it is', ok({ channel: { is_member: true } }), 0],
    ['where Slack does not tell', refused('missing_scope'), 0],
  ])('say under the first of them that mentions do nothing there, %s', async (_, info, hints) => {
    slack.answers = [
      (response, call) => (call.path.endsWith('conversations.info') ? info : posted)(response, call),
    ];
    await stage.post('grafana', alertmanagerBody());
    await settle();
    await stage.post('grafana', alertmanagerBody([{ alertname: 'DiskFull' }]));
    await settle();
    const said = calls('chat.postMessage').filter(({ fields }) =>
      String(fields['text']).includes('mentions do nothing'),
    );
    expect(said.map(({ fields }) => fields['thread_ts'])).toEqual(Array.from({ length: hints }, () => 1.1));
    expect(texts('chat.postMessage')).toHaveLength(2 + hints);
  });

  it('lead to the newer one of their group only once that is posted, or cannot be for a minute', async () => {
    slack.answers = [posted];
    const [alert] = [{ severity: 'warning' }];
    await stage.post('grafana', alertmanagerBody([alert]));
    await settle();
    slack.answers = [refused('ratelimited')];
    await stage.post(
      'grafana',
      alertmanagerBody([{ ...alert, severity: 'critical' }], { groupKey: keyOfFirst }),
    );
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(queues.map((queue) => queue.work()));
      await stage.clock.advance(5_000);
    }
    expect(calls('chat.update')).toEqual([]);
    slack.answers = [ok({ channel: 'C0INC42', ts: '2.2' })];
    await settle();
    expect(texts('chat.update')).toEqual(['Continued below: InstanceDown on web-1']);
    expect(calls('chat.update')[0]?.fields).toMatchObject({ channel: 'C0INC42', ts: 1.1 });
    slack.answers = [refused('not_in_channel')];
    const worse = [{ ...alert, severity: 'critical' }, { instance: 'web-2' }];
    await stage.post('grafana', alertmanagerBody(worse, { groupKey: keyOfFirst }));
    await settle();
    expect(texts('chat.update').length).toBeGreaterThan(1);
  });

  it('are a handful for 1,050 alerts, however often Slack answers 429', async () => {
    const busy = status(429, { 'retry-after': '3' });
    let asked = 0;
    const taken: string[] = [];
    slack.answers = [
      (response, call) => {
        asked += 1;
        if (asked % 3 !== 0) return busy(response, call);
        if (call.path.endsWith('chat.postMessage')) taken.push(String(call.fields['text']));
        return posted(response, call);
      },
    ];
    await storm(1_050, 'firing');
    await settle();
    expect(taken).toHaveLength(6);
    expect(texts('chat.postMessage').concat(texts('chat.update'))).toContain(
      'Firing: 1,045 more critical alerts',
    );
    await storm(1_050, 'resolved');
    await settle();
    expect(texts('chat.update').at(-1)).toMatch(/^Resolved/u);
    expect(taken).toHaveLength(6);
    expect([...new Set(texts('chat.update'))]).toContain('Resolved: 1,045 more critical alerts');
    const due = await stage.store.claimDue(
      new Map([[dueKind('alert'), 10]]),
      stage.clock.now() + 60_000,
      1000,
    );
    expect(due).toEqual([]);
  });

  it('are posted anew where someone deleted one that still fires, and left alone where it is over', async () => {
    slack.answers = [posted];
    const mild = { severity: 'warning', instance: 'node-1' };
    await stage.post('grafana', alertmanagerBody([mild], { groupKey: keyOfFirst }));
    await settle();
    slack.answers = [refused('message_not_found'), posted];
    const more = { ...mild, instance: 'node-2' };
    await stage.post('grafana', alertmanagerBody([mild, more], { groupKey: keyOfFirst }));
    await settle();
    expect(texts('chat.postMessage')).toHaveLength(2);
    slack.answers = [refused('message_not_found')];
    const ends = [
      { ...mild, status: 'resolved' },
      { ...more, status: 'resolved' },
    ] as const;
    await stage.post('grafana', alertmanagerBody(ends, { groupKey: keyOfFirst }));
    await settle();
    expect(texts('chat.postMessage')).toHaveLength(2);
    expect(texts('chat.update')).toHaveLength(2);
  });

  it('are posted anew where one can no longer be edited, the end once', async () => {
    slack.answers = [posted];
    await stage.post('grafana', alertmanagerBody());
    await settle();
    const second = ok({ channel: 'C0INC42', ts: '2.2' });
    slack.answers = [
      (response, call) =>
        (call.fields['ts'] === 1.1 ? refused('cant_update_message') : second)(response, call),
    ];
    await stage.post('grafana', alertmanagerBody([{ status: 'resolved' }]));
    await settle();
    expect(texts('chat.postMessage')).toEqual([
      'Firing: InstanceDown on web-1 (critical)',
      'Resolved: InstanceDown on web-1',
    ]);
    await settle();
    expect(calls('chat.update')).toHaveLength(1);
  });

  it('are posted at most once a minute where none can be edited', async () => {
    let at = 0;
    slack.answers = [
      (response, call) =>
        (call.path.endsWith('chat.update')
          ? refused('edit_window_closed')
          : ok({ channel: 'C0INC42', ts: `1.${(at += 1)}` }))(response, call),
    ];
    await stage.post('grafana', alertmanagerBody([{ severity: 'warning' }]));
    await settle();
    for (let round = 0; round < 12; round += 1) {
      const names = Array.from({ length: round + 2 }, (_, index) => `node-${index}`);
      const down = names.map((instance) => ({ instance, severity: 'warning' }));
      await stage.post('grafana', alertmanagerBody(down, { groupKey: keyOfFirst }));
      await Promise.all(queues.map((queue) => queue.work()));
      await stage.clock.advance(10_000);
    }
    await settle();
    expect(texts('chat.postMessage').length).toBeLessThanOrEqual(5);
  });

  it('are tried again for a day where the channel takes none', async () => {
    slack.answers = [refused('not_in_channel')];
    await stage.post('grafana', alertmanagerBody());
    await settle();
    const tries = calls('chat.postMessage').length;
    expect(tries).toBeGreaterThan(2);
    await stage.clock.advance(25 * 3_600_000);
    await settle();
    const last = calls('chat.postMessage').length;
    await settle();
    expect(calls('chat.postMessage')).toHaveLength(last);
  });
});

const keyOfFirst = '{}:{alertname="InstanceDown", instance="web-1"}';
