import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MANIFEST, BOT_TOKEN, messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
let client: WebClient;
beforeEach(async () => {
  slack = await openSlack();
  client = new WebClient(BOT_TOKEN, {
    slackApiUrl: `${slack.workspace.url}/api/`,
    retryConfig: { retries: 0 },
  });
});
afterEach(() => slack.close());

const TABLE = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
const withScopes = (bot: string[]) => ({ ...MANIFEST, oauth_config: { scopes: { bot } } });

describe('chat.postMessage', () => {
  it('takes what Slack’s own client sends', async () => {
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Reboot' } }];
    const answer = await client.apiCall('chat.postMessage', {
      channel: 'C0OPS',
      text: 'Reboot web-1',
      blocks,
    });
    expect(answer).toMatchObject({
      ok: true,
      channel: 'C0OPS',
      message: { user: 'U0BELLHOP', text: 'Reboot web-1' },
    });
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toMatchObject([
      { is_bot: true, blocks: [{ type: 'header' }] },
    ]);
  });

  it.each([
    ['an unknown channel', { channel: 'C0NONE', text: 'x' }, 'channel_not_found'],
    ['a channel it is not in', { channel: 'C0INC42', text: 'x' }, 'not_in_channel'],
    ['nothing to say', { channel: 'C0OPS' }, 'no_text'],
    ['more than 40,000 characters', { channel: 'C0OPS', text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['no channel', { text: 'x' }, 'invalid_arguments'],
    [
      'text beside markdown_text',
      { channel: 'C0OPS', text: 'x', markdown_text: '**x**' },
      'markdown_text_conflict',
    ],
    [
      'blocks beside markdown_text',
      { channel: 'C0OPS', markdown_text: '**x**', blocks: [{ type: 'divider' }] },
      'markdown_text_conflict',
    ],
    ['no markdown at all', { channel: 'C0OPS', markdown_text: ' ' }, 'no_text'],
    [
      'a second table, be it in an attachment',
      { channel: 'C0OPS', text: 'x', blocks: [TABLE], attachments: [{ fallback: 'x', blocks: [TABLE] }] },
      'invalid_attachments',
    ],
    ['an attachment of nothing', { channel: 'C0OPS', attachments: [{}] }, 'invalid_attachments'],
    [
      '101 attachments',
      { channel: 'C0OPS', attachments: Array.from({ length: 101 }, () => ({ text: 'x' })) },
      'too_many_attachments',
    ],
    [
      'a thread that is not there',
      { channel: 'C0OPS', text: 'x', thread_ts: '1.000001' },
      'thread_not_found',
    ],
  ])('refuses %s', async (_name, input, error) => {
    expect(await slack.api('chat.postMessage', input)).toMatchObject({ ok: false, error });
  });

  it('takes markdown_text alone, and attachments alone', async () => {
    await slack.api('chat.postMessage', { channel: 'C0OPS', markdown_text: '**bold**' });
    const attachment = { color: 'danger', title: 'Down', text: 'web-1', blocks: [{ type: 'divider' }] };
    await slack.api('chat.postMessage', { channel: 'C0OPS', attachments: [attachment] });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { text: '**bold**', blocks: [{ type: 'markdown', text: '**bold**' }], attachments: [] },
      { text: '', attachments: [{ title: 'Down', blocks: [{ type: 'divider' }] }] },
    ]);
    const history = await client.conversations.history({ channel: 'C0OPS' });
    expect(history.messages?.[0]?.attachments).toMatchObject([{ text: 'web-1' }]);
  });

  it('points at the block that is wrong', async () => {
    const text = { type: 'mrkdwn', text: 'x'.repeat(3_001) };
    const answer = await slack.api('chat.postMessage', {
      channel: 'C0OPS',
      text: 'x',
      blocks: [{ type: 'section', text }],
    });
    const finding = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    expect(answer).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [finding],
      response_metadata: { messages: [`[ERROR] ${finding}`] },
    });
  });

  it('reaches public channels it is not in with chat:write.public', async () => {
    await slack.close();
    slack = await openSlack({ manifest: withScopes(['chat:write', 'chat:write.public']) });
    expect(await slack.api('chat.postMessage', { channel: 'C0INC42', text: 'x' })).toMatchObject({
      ok: true,
    });
  });

  it.each(['#ops', 'ops', 'C0OPS'])('finds the channel %s', async (channel) => {
    expect(await slack.api('chat.postMessage', { channel, text: 'x' })).toMatchObject({
      ok: true,
      channel: 'C0OPS',
    });
  });

  it('writes to a person, whom no one overhears', async () => {
    expect(await slack.api('chat.postMessage', { channel: 'U0BOB', text: 'x' })).toMatchObject({
      ok: true,
      channel: 'D0BOB',
    });
    expect(await messagesOf(slack, 'D0BOB', 'U0BOB')).toHaveLength(1);
    expect((await slack.state('U0ALICE')).channels.map(({ id }) => id)).not.toContain('D0BOB');
  });

  it('is limited to about one a second and channel, with 429 and Retry-After', async () => {
    for (let n = 0; n < 60; n += 1) await slack.api('chat.postMessage', { channel: 'C0OPS', text: `${n}` });
    const refused = await request(`${slack.workspace.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${BOT_TOKEN}` },
      body: JSON.stringify({ channel: 'C0OPS', text: 'x' }),
    });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await refused.body.json()).toEqual({ ok: false, error: 'ratelimited' });
    expect(await slack.api('chat.postMessage', { channel: 'C0GENERAL', text: 'x' })).toMatchObject({
      ok: true,
    });
    slack.advance(1_000);
    expect(await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x' })).toMatchObject({ ok: true });
  });
});

describe('a thread', () => {
  it('has its head marked and counted', async () => {
    const { ts: thread_ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'head' });
    const { ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'reply', thread_ts });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { ts: thread_ts, thread_ts, reply_count: 1 },
      { ts, thread_ts },
    ]);
    const replies = await client.conversations.replies({ channel: 'C0OPS', ts: thread_ts ?? '' });
    expect(replies.messages?.map(({ text }) => text)).toEqual(['head', 'reply']);
    const history = await client.conversations.history({ channel: 'C0OPS' });
    expect(history.messages?.map(({ text }) => text)).toEqual(['head']);
  });
});

describe('chat.update and chat.delete', () => {
  it('change and remove messages of the bot', async () => {
    const { ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'one' });
    expect(await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'two' })).toMatchObject({
      ok: true,
      ts,
      text: 'two',
    });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ ts, text: 'two', edited: true }]);
    expect(await slack.api('chat.delete', { channel: 'C0OPS', ts })).toMatchObject({ ok: true, ts });
    expect(await messagesOf(slack, 'C0OPS')).toEqual([]);
  });

  it('accept at most 4,000 characters for a change, although a new message may have 40,000', async () => {
    const { ts } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x'.repeat(40_000) });
    const change = (length: number) =>
      slack.api('chat.update', { channel: 'C0OPS', ts, text: 'y'.repeat(length) });
    expect(await change(4_001)).toMatchObject({ ok: false, error: 'msg_too_long' });
    expect(await change(4_000)).toMatchObject({ ok: true });
  });

  it('reject a message that does not exist', async () => {
    const ts = '1.000001';
    expect(await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
    expect(await slack.api('chat.delete', { channel: 'C0OPS', ts })).toMatchObject({
      error: 'message_not_found',
    });
    expect(await slack.api('chat.update', { channel: 'C0NONE', ts, text: 'x' })).toMatchObject({
      error: 'channel_not_found',
    });
  });

  it('do not touch messages of people', async () => {
    await slack.gesture('send', { channel: 'C0OPS', text: 'mine' });
    const [message] = await messagesOf(slack, 'C0OPS');
    const at = { channel: 'C0OPS', ts: message?.ts };
    expect(await slack.api('chat.update', { ...at, text: 'x' })).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await slack.api('chat.delete', at)).toMatchObject({ error: 'cant_delete_message' });
  });

  it('do not touch an ephemeral message', async () => {
    const { message_ts } = await slack.api('chat.postEphemeral', {
      channel: 'C0OPS',
      user: 'U0ALICE',
      text: 'psst',
    });
    const answer = await slack.api('chat.update', { channel: 'C0OPS', ts: message_ts, text: 'x' });
    expect(answer).toMatchObject({ ok: false, error: 'message_not_found' });
  });
});

describe('chat.postEphemeral', () => {
  it('is seen by one person', async () => {
    expect(
      await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'psst' }),
    ).toMatchObject({ ok: true });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'psst', ephemeral: true }]);
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toEqual([]);
  });

  it.each([
    ['an unknown person', { channel: 'C0OPS', user: 'U0NOBODY' }, 'user_not_found'],
    ['a person who is not in the channel', { channel: 'C0GENERAL', user: 'U0GUS' }, 'user_not_in_channel'],
    ['a channel the bot is not in', { channel: 'C0INC42', user: 'U0ALICE' }, 'not_in_channel'],
  ])('is refused for %s', async (_name, input, error) => {
    expect(await slack.api('chat.postEphemeral', { ...input, text: 'x' })).toMatchObject({
      ok: false,
      error,
    });
  });
});
