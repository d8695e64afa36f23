import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { richTextSchema } from '../../../workspace/blocks/rich-text.ts';
import { until } from '../../../../test/until.ts';
import { eventsHeard, eventsOf } from '../events.ts';
import { MANIFEST, messagesOf, openSlack, type LocalSlack, withEvents } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const say = (channel: string, text: string, further: Record<string, unknown> = {}) =>
  slack.gesture('send', { channel, text, ...further });

const events = () => eventsOf(slack);
const heard = (type: string, count?: number) => eventsHeard(slack, type, count);
/** Waits until everything in flight has arrived: a later event has arrived. */
async function settle(): Promise<void> {
  await slack.gesture('home', {});
  await heard('app_home_opened');
}

async function restart(manifest: unknown): Promise<void> {
  await slack.close();
  slack = await openSlack({ manifest });
}

const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
const user = { type: 'user', user_id: 'U0BELLHOP' };
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });

describe('a direct message', () => {
  it('is a message.im, escaped, with the blocks of the composer', async () => {
    await say('D0BOB', 'hello *there* <you> & me', { as: 'U0BOB' });
    const [event] = await heard('message');
    expect(event).toMatchObject({
      type: 'message',
      channel: 'D0BOB',
      channel_type: 'im',
      user: 'U0BOB',
      team: 'T0LOCAL',
      text: 'hello *there* &lt;you&gt; &amp; me',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'hello ' },
                { type: 'text', text: 'there', style: { bold: true } },
                { type: 'text', text: ' <you> & me' },
              ],
            },
          ],
        },
      ],
    });
    expect(event?.['event_ts']).toBe(event?.ts);
    expect(event).not.toHaveProperty('bot_id');
  });

  it('sends no mention event, even if it names the app', async () => {
    await say('D0ALICE', '@Bellhop help');
    await heard('message');
    await settle();
    expect(events().map(({ type }) => type)).toEqual(['message', 'app_home_opened']);
  });

  it('of the app itself reaches it too, with its bot_id', async () => {
    await slack.api('chat.postMessage', { channel: 'D0ALICE', text: 'done' });
    const [event] = await heard('message');
    expect(event).toMatchObject({
      user: 'U0BELLHOP',
      bot_id: 'B0BELLHOP',
      app_id: 'A0BELLHOP',
      text: 'done',
      channel_type: 'im',
    });
  });
});

describe('a mention', () => {
  it('tells who mentioned, of which team, in a shared channel', async () => {
    await say('C0OPS', '@Bellhop help', { as: 'U0SARA' });
    await heard('app_mention');
    expect(slack.app.received[0]?.payload).toMatchObject({
      is_ext_shared_channel: true,
      event: { type: 'app_mention', text: '<@U0BELLHOP> help', user: 'U0SARA', team: 'T0OTHER' },
    });
    expect(events()[0]).not.toHaveProperty('channel_type');
  });

  it('in a thread carries its thread_ts, whichever message of it was answered', async () => {
    const { ts = '' } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'alert' });
    await say('C0OPS', 'looking', { thread_ts: ts });
    const [, reply] = await messagesOf(slack, 'C0OPS');
    await say('C0OPS', '@bellhop metrics 5xx', { thread_ts: reply?.ts });
    const [event] = await heard('app_mention');
    expect(event).toMatchObject({ thread_ts: ts, parent_user_id: 'U0BELLHOP' });
  });

  it.each([
    ['@Bellhop reboot web-1', '<@U0BELLHOP> reboot web-1', [section(user, words(' reboot web-1'))]],
    ['<@U0BELLHOP> hi', '<@U0BELLHOP> hi', [section(user, words(' hi'))]],
    [
      'say `@bellhop help`',
      'say `<@U0BELLHOP> help`',
      [section(words('say '), words('<@U0BELLHOP> help', { code: true }))],
    ],
    [
      '```@bellhop a\nb```',
      '```<@U0BELLHOP> a\nb```',
      [{ type: 'rich_text_preformatted', elements: [words('<@U0BELLHOP> a\nb')] }],
    ],
    [
      '> @bellhop stop\nwho?',
      '&gt; <@U0BELLHOP> stop\nwho?',
      [{ type: 'rich_text_quote', elements: [user, words(' stop')] }, section(words('who?'))],
    ],
    [
      '@bellhop look at web-1.example.com',
      '<@U0BELLHOP> look at <http://web-1.example.com|web-1.example.com>',
      [
        section(user, words(' look at '), {
          type: 'link',
          url: 'http://web-1.example.com/',
          text: 'web-1.example.com',
        }),
      ],
    ],
    [
      '@bellhop ask @Bob, @oncall in #ops @here',
      '<@U0BELLHOP> ask <@U0BOB>, <!subteam^S0ONCALL> in <#C0OPS|ops> <!here>',
      [
        section(
          user,
          words(' ask '),
          { type: 'user', user_id: 'U0BOB' },
          words(', '),
          { type: 'usergroup', usergroup_id: 'S0ONCALL' },
          words(' in '),
          { type: 'channel', channel_id: 'C0OPS' },
          words(' '),
          { type: 'broadcast', range: 'here' },
        ),
      ],
    ],
  ])('typed as %j arrives as %j', async (typed, written, elements) => {
    await say('C0OPS', typed);
    const [event] = await heard('app_mention');
    expect(event).toMatchObject({ text: written, blocks: [{ type: 'rich_text', elements }] });
    const [block] = z.tuple([z.unknown()]).parse(event?.['blocks']);
    expect(richTextSchema.safeParse(block).success).toBe(true);
  });

  it('takes a name with spaces as one', async () => {
    await restart({ ...MANIFEST, display_information: { name: 'Night Desk' } });
    await say('C0OPS', 'hey @night desk, look');
    expect(await heard('app_mention')).toMatchObject([{ text: 'hey <@U0BELLHOP>, look' }]);
  });

  it('of someone else, of a longer name or within a word is not a mention', async () => {
    for (const typed of ['@bob help', '@bellhops help', '@bellhop-2 help', 'me@bellhop help'])
      await say('C0OPS', typed);
    await settle();
    expect(events().map(({ type }) => type)).toEqual(['app_home_opened']);
  });

  it('is not sent to an app without the scope, nor is a direct message', async () => {
    const bot = MANIFEST.oauth_config.scopes.bot.filter((scope) => !/app_mentions|im:history/.test(scope));
    await restart({ ...MANIFEST, oauth_config: { scopes: { bot } } });
    await say('C0OPS', '@bellhop help');
    await say('D0ALICE', 'help');
    await settle();
    expect(events().map(({ type }) => type)).toEqual(['app_home_opened']);
  });
});

describe('a mention where the app is not', () => {
  it('reaches the app once the person invites it, which Slackbot offers', async () => {
    await say('C0INC42', '@Bellhop help');
    const [mention, offer] = await until(async () => {
      const messages = await messagesOf(slack, 'C0INC42');
      return messages.length === 2 && messages;
    });
    expect(offer).toMatchObject({ user: 'USLACKBOT', ephemeral: true });
    expect(await messagesOf(slack, 'C0INC42', 'U0BOB')).toHaveLength(1);
    await settle();
    expect(events()).toHaveLength(1);
    const container = { type: 'message', channel: 'C0INC42', ts: offer?.ts };
    const click = { container, block_id: 'answer', action_id: 'invite', value: { type: 'button' } };
    expect(await slack.gesture('action', click)).toEqual({ ok: true });
    expect(await heard('app_mention')).toMatchObject([{ ts: mention?.ts, channel: 'C0INC42' }]);
    expect(await messagesOf(slack, 'C0INC42')).toHaveLength(1);
    const channel = (await slack.state()).channels.find(({ id }) => id === 'C0INC42');
    expect(channel?.bot_is_member).toBe(true);
  });

  it('/invite lets the app in, which hears of it', async () => {
    await restart(withEvents(['member_joined_channel', 'app_home_opened']));
    expect(await say('C0INC42', '/invite @Bellhop')).toEqual({ ok: true });
    expect(await heard('member_joined_channel')).toMatchObject([
      { user: 'U0BELLHOP', channel: 'C0INC42', inviter: 'U0ALICE', team: 'T0LOCAL' },
    ]);
    expect(await say('C0INC42', '/invite @bob')).toMatchObject({ ok: false, error: 'invalid_invite' });
  });
});

describe('what is said in a channel', () => {
  it('sends an event only if it names the app, or the app subscribes to all messages', async () => {
    await say('C0OPS', 'hello');
    await settle();
    expect(events().map(({ type }) => type)).toEqual(['app_home_opened']);
    await restart(withEvents(['message.channels']));
    await say('C0OPS', 'hello');
    expect(await heard('message')).toMatchObject([{ channel: 'C0OPS', channel_type: 'channel' }]);
  });

  it('by the app is changed and deleted as events, with the previous message', async () => {
    await restart(withEvents(['message.channels']));
    const { ts = '' } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'running' });
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'done' });
    await slack.api('chat.delete', { channel: 'C0OPS', ts });
    const [, changed, deleted] = await heard('message', 3);
    expect(changed).toMatchObject({
      subtype: 'message_changed',
      hidden: true,
      channel: 'C0OPS',
      channel_type: 'channel',
      message: { ts, text: 'done', edited: { user: 'U0BELLHOP' } },
      previous_message: { ts, text: 'running' },
    });
    expect(deleted).toMatchObject({
      subtype: 'message_deleted',
      hidden: true,
      deleted_ts: ts,
      previous_message: { ts, text: 'done' },
    });
    expect(changed?.ts).not.toBe(ts);
  });

  it('in a thread and to the channel too is a thread_broadcast with its root', async () => {
    await restart(withEvents(['message.channels']));
    const { ts = '' } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'alert' });
    await say('C0OPS', 'all well', { thread_ts: ts, broadcast: true });
    expect((await heard('message', 2))[1]).toMatchObject({
      subtype: 'thread_broadcast',
      thread_ts: ts,
      root: { ts, text: 'alert', reply_count: 1, reply_users: ['U0ALICE'] },
    });
  });

  it('privately sends no event', async () => {
    await restart(withEvents(['message.channels', 'app_home_opened']));
    await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0BOB', text: 'psst' });
    await settle();
    expect(events()).toHaveLength(1);
  });
});
