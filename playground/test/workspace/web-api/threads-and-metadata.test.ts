import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsHeard } from '../events.ts';
import { messagesOf, openSlack, type LocalSlack, withEvents } from '../open-slack.ts';

const manifest = withEvents(
  ['message_metadata_posted', 'message_metadata_updated', 'message_metadata_deleted'],
  'metadata.message:read',
);
const subscribed = {
  ...manifest,
  settings: {
    ...manifest.settings,
    event_subscriptions: {
      ...manifest.settings.event_subscriptions,
      metadata_subscriptions: [{ app_id: '*', event_type: 'alert_opened' }],
    },
  },
};

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack({ manifest: subscribed });
});
afterEach(() => slack.close());

const post = (input: Record<string, unknown>) =>
  slack.api('chat.postMessage', { channel: 'C0OPS', ...input });

const listed = async (include_all_metadata?: boolean) =>
  slack.api('conversations.history', { channel: 'C0OPS', include_all_metadata });

describe('a thread', () => {
  it('is the same in replies, in history and on the page', async () => {
    const { ts: parent = '' } = await post({ text: 'alert' });
    const { ts: first = '' } = await post({ text: 'one', thread_ts: parent });
    await slack.gesture('send', { channel: 'C0OPS', text: 'two', thread_ts: first, as: 'U0BOB' });
    const { ts: shown = '' } = await post({ text: 'three', thread_ts: parent, reply_broadcast: true });
    const counted = {
      ts: parent,
      reply_count: 3,
      reply_users_count: 2,
      reply_users: ['U0BELLHOP', 'U0BOB'],
      latest_reply: shown,
    };
    const inThread = { thread_ts: parent, parent_user_id: 'U0BELLHOP' };
    const replies = await slack.api('conversations.replies', { channel: 'C0OPS', ts: parent });
    expect(replies).toMatchObject({
      messages: [
        counted,
        { text: 'one', ...inThread },
        { text: 'two', ...inThread },
        { text: 'three', subtype: 'thread_broadcast', root: { ts: parent }, ...inThread },
      ],
    });
    expect(await slack.api('conversations.history', { channel: 'C0OPS' })).toMatchObject({
      messages: [{ text: 'three' }, counted],
    });
    const [onPage] = await messagesOf(slack, 'C0OPS');
    expect(onPage).toMatchObject({
      reply_count: 3,
      latest_reply: shown,
      reply_users: ['U0BELLHOP', 'U0BOB'],
    });
  });

  it('takes private answers, which only their reader sees, and which are no replies', async () => {
    const { ts: parent = '' } = await post({ text: 'alert' });
    await slack.api('chat.postEphemeral', {
      channel: 'C0OPS',
      user: 'U0BOB',
      text: 'psst',
      thread_ts: parent,
    });
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toMatchObject([
      { ts: parent, reply_count: 0 },
      { text: 'psst', ephemeral: true, thread_ts: parent },
    ]);
    expect(await messagesOf(slack, 'C0OPS', 'U0ALICE')).toHaveLength(1);
  });

  it('is not answered where its beginning is gone', async () => {
    expect(
      await slack.gesture('send', { channel: 'C0OPS', text: 'late', thread_ts: '1.000000' }),
    ).toMatchObject({ error: 'thread_not_found' });
    expect(await post({ text: 'late', thread_ts: '1.000000' })).toMatchObject({ error: 'thread_not_found' });
  });

  it('is named in the link to a reply', async () => {
    const { ts: parent = '' } = await post({ text: 'alert' });
    const { ts: reply = '' } = await post({ text: 'one', thread_ts: parent });
    const link = (message_ts: string) =>
      slack.api('chat.getPermalink', { channel: 'C0OPS', message_ts }).then(({ permalink }) => permalink);
    const base = `${slack.workspace.url}/archives/C0OPS/p`;
    expect(await link(parent)).toBe(base + parent.replace('.', ''));
    expect(await link(reply)).toBe(`${base}${reply.replace('.', '')}?thread_ts=${parent}&cid=C0OPS`);
  });
});

describe('metadata of a message', () => {
  const metadata = { event_type: 'alert_opened', event_payload: { alert: 'InstanceDown', count: 3 } };

  it('is returned only on request, and stays while the text changes', async () => {
    const { ts } = await post({ text: 'alert', metadata });
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'worse' });
    expect(await listed(true)).toMatchObject({ messages: [{ text: 'worse', metadata }] });
    expect((await listed())['messages']).toEqual([expect.not.objectContaining({ metadata })]);
    expect(
      await slack.api('conversations.replies', { channel: 'C0OPS', ts, include_all_metadata: true }),
    ).toMatchObject({ messages: [{ metadata }] });
  });

  it('is an event where the app subscribes to its type', async () => {
    const { ts } = await post({ text: 'alert', metadata });
    expect(await eventsHeard(slack, 'message_metadata_posted')).toMatchObject([
      {
        app_id: 'A0BELLHOP',
        bot_id: 'B0BELLHOP',
        user_id: 'U0BELLHOP',
        team_id: 'T0LOCAL',
        channel_id: 'C0OPS',
        metadata,
        message_ts: ts,
      },
    ]);
    const next = { ...metadata, event_payload: { count: 4 } };
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'worse', metadata: next });
    expect(await eventsHeard(slack, 'message_metadata_updated')).toMatchObject([
      { metadata: next, previous_metadata: metadata },
    ]);
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'well', metadata: {} });
    expect(await eventsHeard(slack, 'message_metadata_deleted')).toMatchObject([{ previous_metadata: next }]);
    expect((await listed(true))['messages']).toEqual([expect.not.objectContaining({ metadata: next })]);
  });

  it.each([
    ['words', 'invalid_metadata_format'],
    [{ event_type: 'alert_opened' }, 'invalid_metadata_schema'],
    [{ ...metadata, more: 1 }, 'invalid_metadata_schema'],
  ])('%j is refused with %s', async (wrong, error) => {
    expect(await post({ text: 'alert', metadata: wrong })).toMatchObject({ ok: false, error });
  });
});
