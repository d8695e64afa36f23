import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';

let dataDir: string;
let slack: LocalSlack;
let time: number;
beforeEach(async () => {
  dataDir = temporaryFolder();
  time = Date.UTC(2026, 10, 21, 12);
  slack = await openSlack({ dataDir, now: () => time });
});
afterEach(() => slack.close());

const HOUR = 3_600;
const schedule = (seconds: number, further: object = {}) =>
  slack.api('chat.scheduleMessage', {
    channel: 'C0OPS',
    text: 'Who has the pager?',
    post_at: Math.floor(time / 1_000) + seconds,
    ...further,
  });
const said = async () => (await messagesOf(slack, 'C0OPS')).map(({ text }) => text);

describe('chat.scheduleMessage', () => {
  it('says a message when its time has come, and not before', async () => {
    const post_at = Math.floor(time / 1_000) + HOUR;
    const scheduled = await schedule(HOUR);
    expect(scheduled['scheduled_message_id']).toMatch(/^Q0/);
    expect(scheduled).toMatchObject({
      ok: true,
      channel: 'C0OPS',
      post_at,
      message: { type: 'delayed_message', text: 'Who has the pager?', bot_id: 'B0BELLHOP' },
    });
    time += (HOUR - 1) * 1_000;
    expect(await said()).toEqual([]);
    time += 1_000;
    await until(async () => (await said()).length > 0);
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ user: 'U0BELLHOP', is_bot: true }]);
  });

  it('keeps a message and its thread over a restart, and says it once', async () => {
    const { ts: thread_ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'alert' });
    await schedule(HOUR, { thread_ts, text: 'still open?' });
    await slack.close();
    time += 2 * HOUR * 1_000;
    for (let start = 0; start < 2; start += 1) {
      slack = await openSlack({ dataDir, now: () => time });
      await until(async () => (await said()).length > 1);
      expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
        { text: 'alert' },
        { text: 'still open?', thread_ts },
      ]);
      if (start === 0) await slack.close();
    }
  });

  it('refuses what chat.postMessage refuses, and times that are past or too far', async () => {
    expect(await schedule(HOUR, { text: ' ' })).toMatchObject({ error: 'no_text' });
    expect(await schedule(HOUR, { channel: 'C0INC42' })).toMatchObject({ error: 'not_in_channel' });
    expect(await schedule(0)).toMatchObject({ error: 'time_in_past' });
    expect(await schedule(120 * 24 * HOUR)).toMatchObject({ ok: true });
    expect(await schedule(120 * 24 * HOUR + 1)).toMatchObject({ error: 'time_too_far' });
  });

  it('takes thirty for five minutes of a channel', async () => {
    for (let count = 0; count < 30; count += 1)
      expect(await schedule(HOUR + count)).toMatchObject({ ok: true });
    expect(await schedule(HOUR + 299)).toMatchObject({ error: 'restricted_too_many' });
    expect(await schedule(HOUR + 300)).toMatchObject({ ok: true });
    expect(await schedule(HOUR, { channel: 'C0GENERAL' })).toMatchObject({ ok: true });
  });
});
