import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsHeard, eventsOf } from '../events.ts';
import { messagesOf, openSlack, type LocalSlack, withEvents } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack({
    manifest: withEvents(
      ['message.channels', 'app_mention', 'reaction_added', 'reaction_removed'],
      'reactions:read',
      'reactions:write',
    ),
  });
});
afterEach(() => slack.close());

/** Posts text in #ops. Resolves to its ts. */
async function say(text: string, further: Record<string, unknown> = {}): Promise<string> {
  await slack.gesture('send', { channel: 'C0OPS', text, ...further });
  return (await messagesOf(slack, 'C0OPS')).at(-1)?.ts ?? '';
}
const edit = (ts: string, text: string, as = 'U0ALICE') =>
  slack.gesture('edit', { channel: 'C0OPS', ts, text, as });
const remove = (ts: string, as = 'U0ALICE') => slack.gesture('delete', { channel: 'C0OPS', ts, as });

const react = (ts: string, name: string, as = 'U0ALICE') =>
  slack.gesture('react', { channel: 'C0OPS', ts, name, as });

describe('a message of one’s own', () => {
  it('is changed, and the event has its earlier version', async () => {
    const ts = await say('web-1 is slow');
    expect(await edit(ts, 'web-1 is *very* slow')).toEqual({ ok: true });
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toMatchObject([
      { ts, text: 'web-1 is *very* slow', edited: true },
    ]);
    const [, changed] = await eventsHeard(slack, 'message', 2);
    expect(changed).toMatchObject({
      subtype: 'message_changed',
      channel_type: 'channel',
      message: { ts, user: 'U0ALICE', text: 'web-1 is *very* slow', edited: { user: 'U0ALICE' } },
      previous_message: { ts, text: 'web-1 is slow' },
    });
    expect(changed).not.toHaveProperty('text');
  });

  it('that mentions the app after an edit is a mention with edited', async () => {
    const ts = await say('reboot web-1');
    await edit(ts, '@Bellhop reboot web-1');
    expect(await eventsHeard(slack, 'app_mention')).toMatchObject([
      { ts, text: '<@U0BELLHOP> reboot web-1', edited: { user: 'U0ALICE' } },
    ]);
  });

  it('is deleted, and the thread that it was in counts one less', async () => {
    const parent = await say('alert');
    const reply = await say('looking', { thread_ts: parent });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { reply_count: 1, latest_reply: reply, reply_users: ['U0ALICE'] },
      { thread_ts: parent },
    ]);
    expect(await remove(reply)).toEqual({ ok: true });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { ts: parent, reply_count: 0, latest_reply: '' },
    ]);
    const deleted = (await eventsHeard(slack, 'message', 3)).at(-1);
    expect(deleted).toMatchObject({ subtype: 'message_deleted', deleted_ts: reply });
  });

  it('leaves a tombstone above its replies', async () => {
    const parent = await say('alert');
    await say('looking', { thread_ts: parent });
    await remove(parent);
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { ts: parent, text: 'This message was deleted.', tombstone: true, reply_count: 1 },
      { text: 'looking' },
    ]);
    expect((await eventsHeard(slack, 'message', 3)).at(-1)).toMatchObject({
      subtype: 'message_changed',
      message: { subtype: 'tombstone', ts: parent },
      previous_message: { text: 'alert' },
    });
    expect(await remove(parent)).toMatchObject({ error: 'message_not_found' });
  });

  it('cannot be changed or deleted by anyone else, and cannot become empty', async () => {
    const ts = await say('mine');
    expect(await edit(ts, 'yours', 'U0BOB')).toMatchObject({ error: 'cant_update_message' });
    expect(await remove(ts, 'U0BOB')).toMatchObject({ error: 'cant_delete_message' });
    expect(await edit(ts, '  ')).toMatchObject({ error: 'no_text' });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'mine', edited: false }]);
  });
});

describe('a reaction', () => {
  it('is put on and taken off again, with an event each', async () => {
    const { ts = '' } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'alert' });
    await react(ts, 'eyes');
    await react(ts, 'eyes', 'U0BOB');
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { reactions: [{ name: 'eyes', users: ['U0ALICE', 'U0BOB'] }], edited: false },
    ]);
    await react(ts, 'eyes');
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { reactions: [{ name: 'eyes', users: ['U0BOB'] }] },
    ]);
    const item = { type: 'message', channel: 'C0OPS', ts };
    expect(await eventsHeard(slack, 'reaction_added', 2)).toMatchObject([
      { user: 'U0ALICE', reaction: 'eyes', item_user: 'U0BELLHOP', item },
      { user: 'U0BOB', reaction: 'eyes', item_user: 'U0BELLHOP', item },
    ]);
    expect(await eventsHeard(slack, 'reaction_removed')).toMatchObject([{ user: 'U0ALICE', item }]);
    expect(await react(ts, 'no_such_emoji')).toMatchObject({ error: 'invalid_name' });
  });

  it('of the app is put on, read and taken off by the Web API', async () => {
    const timestamp = await say('done?');
    const item = { channel: 'C0OPS', timestamp };
    const name = 'white_check_mark';
    expect(await slack.api('reactions.add', { ...item, name })).toEqual({ ok: true });
    expect(await slack.api('reactions.add', { ...item, name })).toMatchObject({ error: 'already_reacted' });
    expect(await slack.api('reactions.get', item)).toMatchObject({
      type: 'message',
      channel: 'C0OPS',
      message: { text: 'done?', reactions: [{ name, users: ['U0BELLHOP'], count: 1 }] },
    });
    expect(await slack.api('conversations.history', { channel: 'C0OPS' })).toMatchObject({
      messages: [{ reactions: [{ name, count: 1 }] }],
    });
    expect(await slack.api('reactions.remove', { ...item, name })).toEqual({ ok: true });
    expect(await slack.api('reactions.remove', { ...item, name })).toMatchObject({ error: 'no_reaction' });
    expect(eventsOf(slack).find(({ type }) => type === 'reaction_added')).toMatchObject({
      user: 'U0BELLHOP',
    });
  });

  it.each([
    [{ name: 'eyes' }, 'no_item_specified'],
    [{ name: 'eyes', channel: 'C0NONE', timestamp: '1.000000' }, 'channel_not_found'],
    [{ name: 'eyes', channel: 'C0OPS', timestamp: 'now' }, 'bad_timestamp'],
    [{ name: 'eyes', channel: 'C0OPS', timestamp: '1.000000' }, 'message_not_found'],
  ])('%j is refused with %s', async (input, error) => {
    expect(await slack.api('reactions.add', input)).toMatchObject({ ok: false, error });
  });

  it('needs the scopes', async () => {
    await slack.close();
    slack = await openSlack();
    for (const [method, needed] of [
      ['reactions.add', 'reactions:write'],
      ['reactions.remove', 'reactions:write'],
      ['reactions.get', 'reactions:read'],
    ] as const)
      expect(await slack.api(method, { name: 'eyes' })).toMatchObject({ error: 'missing_scope', needed });
  });
});
