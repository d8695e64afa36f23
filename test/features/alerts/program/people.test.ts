import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { buttonsOf, type Message, setStage, type Stage } from '../../../program/stage.ts';
import { until } from '../../../until.ts';

const secret = 'a-secret-of-the-hook';
const channel = 'C0INC42';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({
    env: { LOG_LEVEL: 'warn', BELLHOP_SECRET_ALERTMANAGER_HOOK: secret },
  });
});
afterAll(() => stage.close());

const fire = async (body: string): Promise<number> => {
  const response = await fetch(`${stage.botUrl}/hooks/alertmanager`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
  await response.body?.cancel();
  return response.status;
};

const fireAll = async (
  each: NonNullable<Parameters<typeof alertmanagerBody>[0]>,
  status: 'firing' | 'resolved' = 'firing',
): Promise<void> => {
  for (let at = 0; at < each.length; at += 50)
    await Promise.all(each.slice(at, at + 50).map((alert) => fire(alertmanagerBody([{ ...alert, status }]))));
};
/** A message that others reply to names itself. */
const isReply = ({ ts, thread_ts: thread }: Message): boolean => thread !== undefined && thread !== ts;

const alertsSaying = async (text: RegExp) =>
  (await stage.messages('U0ALICE', channel)).filter(
    (message) => !isReply(message) && text.test(message.text),
  );

describe('an alert', () => {
  it('names its target, proposes in its thread as the person who presses, and is resolved in place', async () => {
    expect(await fire(alertmanagerBody([{ instance: 'web-1:9100' }]))).toBe(200);
    const alert = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Firing: InstanceDown'), channel);
    expect(alert.text).toBe('Firing: InstanceDown on web-1 (critical)');
    expect(buttonsOf(alert)).toEqual(['Reboot web-1…', 'CDN metrics 5xx', "I'm on it"]);

    // People who may not type the command may not press its button. Bob is not a responder.
    await stage.press('U0BOB', alert, 'Reboot web-1…');
    const refusal = await stage.seen('U0BOB', ({ text }) => text.includes('Nothing was done'), channel);
    expect([refusal.ephemeral, refusal['thread_ts']]).toEqual([true, undefined]);

    await stage.press('U0ALICE', alert, 'Reboot web-1…');
    const inThread = (text: string) =>
      stage.seen(
        'U0ALICE',
        (message) => message['thread_ts'] === alert.ts && message.text.includes(text),
        channel,
      );
    const card = await inThread('web-1: proposed');
    const pointer = await stage.seen('U0ALICE', ({ text }) => text.includes('Open the card'), channel);
    expect([pointer.ephemeral, pointer['thread_ts']]).toEqual([true, undefined]);
    expect(pointer.text).toContain('👉 Confirm *Reboot web-1* (staging) in the thread: <http');
    const shows = (words: string) =>
      stage.seen(
        'U0ALICE',
        (one) => one.ts === alert.ts && JSON.stringify(one.blocks).includes(words),
        channel,
      );
    await shows('👉 <@U0ALICE> is confirming *Reboot web-1* (staging) in the thread');
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await inThread('web-1: succeeded');
    const changed = await shows('✅ *Reboot web-1* (staging) by <@U0ALICE> succeeded');
    expect(await stage.calls('rebootInstance')).toBe(1);

    await stage.press('U0ALICE', changed, 'CDN metrics 5xx');
    const report = await stage.seen('U0ALICE', ({ text }) => text.includes('CDN metrics'), channel);
    expect([report.ephemeral, report['thread_ts']]).toEqual([true, undefined]);
    // The thread has replies now, but the press was in the channel, where the thread may be closed.
    await stage.press('U0BOB', changed, 'Reboot web-1…');
    const refusals = (): Promise<readonly Message[]> =>
      stage
        .messages('U0BOB', channel)
        .then((all) => all.filter(({ text }) => text.includes('Nothing was done')));
    await until(async () => (await refusals()).length === 2);
    expect((await refusals()).map((one) => one['thread_ts'])).toEqual([undefined, undefined]);

    const endsAt = new Date().toISOString();
    await fire(alertmanagerBody([{ instance: 'web-1:9100', status: 'resolved', endsAt }]));
    const resolved = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Resolved:'), channel);
    expect([resolved.ts, buttonsOf(resolved)]).toEqual([alert.ts, []]);

    const told = await inThread('✅ InstanceDown on web-1: resolved');
    expect(told.text).toMatch(/^<@U0ALICE> .* resolved \d+ s after \*Reboot web-1\* \(staging\)\.$/u);
    expect(await alertsSaying(/InstanceDown/u)).toHaveLength(1);

    await stage.say('U0ALICE', '/bellhop timeline', channel);
    const timeline = await stage.seen('U0ALICE', ({ text }) => text.includes('Timeline'), channel);
    const story = JSON.stringify(timeline.blocks);
    const order = [
      'Alert firing',
      'was denied',
      'requested',
      'confirmed it',
      'It succeeded',
      'Alert resolved',
    ];
    const places = order.map((word) => story.indexOf(word));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('that is resolved while someone confirms says so on the card, in the thread and on its message', async () => {
    await fire(alertmanagerBody([{ instance: 'web-2:9100' }]));
    const alert = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Firing: InstanceDown'), channel);
    await stage.press('U0ALICE', alert, 'Reboot web-2…');
    const saying = (text: string) =>
      stage.seen('U0ALICE', (message) => JSON.stringify(message).includes(text), channel);
    await saying('<@U0ALICE> is confirming *Reboot web-2* (staging) in the thread');
    const endsAt = new Date().toISOString();
    await fire(alertmanagerBody([{ instance: 'web-2:9100', status: 'resolved', endsAt }]));
    const told = await saying('You have not confirmed *Reboot web-2* (staging); cancel it');
    expect(told.text).toMatch(/^<@U0ALICE> ✅ InstanceDown on web-2 is resolved\./u);
    const card = await saying('. Still reboot web-2?');
    expect([told['thread_ts'], card['thread_ts']]).toEqual([alert.ts, alert.ts]);
    expect(card.text).toContain('Reboot web-2: proposed');
    const resolved = await saying(
      '<@U0ALICE> has not confirmed *Reboot web-2* (staging) yet, see the thread',
    );
    expect(resolved.ts).toBe(alert.ts);

    await fire(alertmanagerBody([{ instance: 'web-2:9100', startsAt: new Date().toISOString() }]));
    const isNewer = ({ ts, text }: Message): boolean =>
      ts !== alert.ts && text.startsWith('Firing: InstanceDown on web-2');
    const newer = await stage.seen('U0ALICE', isNewer, channel);
    expect(JSON.stringify(newer.blocks)).toMatch(
      /👉 <@U0ALICE> is confirming \*Reboot web-2\* \(staging\) in <http[^|]*\|the earlier thread>/u,
    );
    expect(JSON.stringify(newer.blocks)).not.toContain('No one is on it');
    expect(buttonsOf(newer)).toContain("I'm on it");

    await stage.press('U0ALICE', card, 'Cancel');
    await saying('Reboot web-2: cancelled');
    const followed = await saying('No one is on it now.');
    expect([followed.ts, JSON.stringify(followed.blocks)]).toEqual([
      newer.ts,
      expect.not.stringContaining('earlier thread'),
    ]);
    const left = await saying('|open the newer message>');
    expect([left.ts, left.text]).toEqual([alert.ts, 'Fires again below: InstanceDown on web-2']);
  });

  const about = /HostUnreachable|DiskFull|AllDatabasesDown|more (?:critical )?alert/u;
  const noTarget = 'node-7';

  it('of a thousand comes in a handful of messages, which hide none that matters and say when all is over', async () => {
    const groups = Array.from({ length: 1_050 }, (_, at) => ({
      alertname: at % 5 === 0 ? 'DiskFull' : 'HostUnreachable',
      instance: `node-${at}`,
      severity: 'warning',
    }));
    const mattering = [
      { alertname: 'AllDatabasesDown', instance: noTarget },
      { alertname: 'InstanceSlow', instance: 'web-2:9100', severity: 'warning' },
    ];
    await fireAll(groups);
    await stage.seen('U0ALICE', ({ text }) => text.startsWith('Firing: 1,04'), channel);
    await fireAll(mattering);
    const own = await stage.seen(
      'U0ALICE',
      ({ text }) => text === 'Firing: AllDatabasesDown on node-7 (critical)',
      channel,
    );
    const onTarget = await stage.seen(
      'U0ALICE',
      ({ text }) => text === 'Firing: InstanceSlow on web-2 (warning)',
      channel,
    );
    await stage.say('U0ALICE', '/bellhop timeline', channel);
    const notes = ['AllDatabasesDown on node-7 (critical)', 'InstanceSlow on web-2 (warning)'];
    await stage.seen(
      'U0ALICE',
      ({ text, blocks }) =>
        text.includes('Timeline') && notes.every((note) => JSON.stringify(blocks).includes(note)),
      channel,
    );

    await fireAll([...groups, ...mattering], 'resolved');
    await stage.seen('U0ALICE', ({ text }) => text.startsWith('Resolved: 1,04'), channel);
    await until(async () => (await alertsSaying(about)).every(({ text }) => text.startsWith('Resolved')));
    const messages = await alertsSaying(about);
    expect(messages.length).toBeLessThanOrEqual(10);
    expect(messages.map(({ ts }) => ts)).toContain(own.ts);
    expect(onTarget.ts).not.toBe(own.ts);

    // The storm is over. The next alert is not added to a message that everyone has read.
    await fire(alertmanagerBody([{ alertname: 'DiskFull', instance: 'node-x', severity: 'warning' }]));
    await stage.seen(
      'U0ALICE',
      ({ text }) => /^Firing: (?:1 more alert|DiskFull on node-x)(?: \(warning\))?$/u.test(text),
      channel,
    );
    expect(await alertsSaying(about)).toHaveLength(messages.length + 1);
  });

  it('that is critical has a message of its own, whatever other critical ones there are', async () => {
    await fireAll(
      Array.from({ length: 150 }, (_, at) => ({ alertname: 'RackDown', instance: `rack-${at}` })),
    );
    await stage.seen('U0ALICE', ({ text }) => text === 'Firing: 145 more critical alerts', channel);
    await fire(alertmanagerBody([{ alertname: 'QuorumLost', instance: noTarget }]));
    await stage.seen('U0ALICE', ({ text }) => text === 'Firing: QuorumLost on node-7 (critical)', channel);
    expect(await alertsSaying(/RackDown/u)).toHaveLength(5);
  });
});
