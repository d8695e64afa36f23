import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BOT_TOKEN, openSlack, type LocalSlack, withScopes } from '../open-slack.ts';

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

/** The zone of this machine, where the page is read. */
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

describe('people', () => {
  it.each([
    ['U0ALICE', { team_id: 'T0LOCAL', tz: here, is_restricted: false, is_bot: false }],
    ['U0GUS', { team_id: 'T0LOCAL', is_restricted: true, is_ultra_restricted: false }],
    ['U0SARA', { team_id: 'T0OTHER', is_stranger: true }],
    ['U0BELLHOP', { is_bot: true, name: 'bellhop', real_name: 'Bellhop' }],
  ])('%s is returned by users.info', async (user, told) => {
    expect(await client.users.info({ user })).toMatchObject({ ok: true, user: { id: user, ...told } });
  });

  it('unknown are user_not_found', async () => {
    expect(await slack.api('users.info', { user: 'U0NOBODY' })).toMatchObject({
      ok: false,
      error: 'user_not_found',
    });
  });

  it('have an address where the app may read it, and are found by it', async () => {
    expect((await client.users.info({ user: 'U0ALICE' })).user?.profile).not.toHaveProperty('email');
    expect(await slack.api('users.lookupByEmail', { email: 'alice@example.com' })).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read.email',
    });
    await slack.close();
    slack = await openSlack({ manifest: withScopes('users:read.email') });
    expect(await slack.api('users.info', { user: 'U0ALICE' })).toMatchObject({
      user: { profile: { email: 'alice@example.com' } },
    });
    const found = await slack.api('users.lookupByEmail', { email: 'Carol@Example.com' });
    expect(found).toMatchObject({ ok: true, user: { id: 'U0CAROL' } });
    for (const email of ['unknown@example.com', 'sara@example.com', 'bellhop@example.com'])
      expect(await slack.api('users.lookupByEmail', { email })).toMatchObject({ error: 'users_not_found' });
  });

  it('and everything else that is listed come a page at a time, by the cursor of the page before', async () => {
    const channel = 'C0OPS';
    const posted = await slack.api('chat.postMessage', { channel, text: 'root' });
    const { ts } = z.object({ ts: z.string() }).parse(posted);
    for (const text of ['one', 'two']) {
      await slack.api('chat.postMessage', { channel, text });
      await slack.api('chat.postMessage', { channel, text, thread_ts: ts });
    }
    for (const [method, list, args] of [
      ['users.list', 'members', {}],
      ['conversations.list', 'channels', { types: 'public_channel,im' }],
      ['conversations.members', 'members', { channel }],
      ['conversations.history', 'messages', { channel }],
      ['conversations.replies', 'messages', { channel, ts }],
    ] as const) {
      const all = await slack.api(method, args);
      const seen: unknown[] = [];
      let cursor = '';
      do {
        const answer = await slack.api(method, { ...args, limit: 2, cursor });
        const { [list]: items, response_metadata: metadata } = z
          .looseObject({
            [list]: z.array(z.unknown()).max(2),
            response_metadata: z.object({ next_cursor: z.string() }).default({ next_cursor: '' }),
          })
          .parse(answer);
        seen.push(...z.array(z.unknown()).parse(items));
        cursor = z.object({ next_cursor: z.string() }).parse(metadata).next_cursor;
      } while (cursor !== '');
      expect(all).toMatchObject({ ok: true, [list]: seen });
    }
    expect(await slack.api('users.list', { cursor: 'x' })).toMatchObject({
      ok: false,
      error: 'invalid_cursor',
    });
  });

  it('are in a workspace, which team.info tells of', async () => {
    expect(await slack.api('team.info', {})).toMatchObject({ error: 'missing_scope', needed: 'team:read' });
    await slack.close();
    slack = await openSlack({ manifest: withScopes('team:read') });
    expect(await slack.api('team.info', {})).toMatchObject({
      ok: true,
      team: { id: 'T0LOCAL', domain: 'local' },
    });
    expect(await slack.api('team.info', { team: 'T0OTHER' })).toMatchObject({ error: 'team_not_found' });
  });

  it('are listed', async () => {
    const { members } = await client.users.list({});
    expect(members?.map(({ id }) => id)).toEqual([
      'U0ALICE',
      'U0BOB',
      'U0CAROL',
      'U0GUS',
      'U0SARA',
      'U0BELLHOP',
    ]);
  });

  it('on call are a usergroup', async () => {
    expect(await client.usergroups.list({ include_users: true })).toMatchObject({
      usergroups: [{ id: 'S0ONCALL', handle: 'oncall', users: ['U0ALICE'] }],
    });
    expect(await client.usergroups.users.list({ usergroup: 'S0ONCALL' })).toMatchObject({
      users: ['U0ALICE'],
    });
    expect(await slack.api('usergroups.users.list', { usergroup: 'S0NONE' })).toMatchObject({
      error: 'no_such_subteam',
    });
  });
});

describe('conversations', () => {
  it('tell whether the app is in them', async () => {
    expect(await client.conversations.info({ channel: 'C0OPS' })).toMatchObject({
      channel: { is_member: true, is_ext_shared: true },
    });
    expect(await client.conversations.info({ channel: 'C0INC42' })).toMatchObject({
      channel: { is_member: false },
    });
    expect(await slack.api('conversations.info', { channel: 'C0NONE' })).toMatchObject({
      error: 'channel_not_found',
    });
  });

  it('can be joined, read, and listed', async () => {
    expect(await slack.api('conversations.history', { channel: 'C0INC42' })).toMatchObject({
      error: 'not_in_channel',
    });
    expect(await client.conversations.join({ channel: 'C0INC42' })).toMatchObject({
      channel: { is_member: true },
    });
    expect(await client.conversations.history({ channel: 'C0INC42' })).toMatchObject({
      ok: true,
      messages: [],
    });
    expect((await client.conversations.list({})).channels?.map(({ id }) => id)).toEqual([
      'C0OPS',
      'C0INC42',
      'C0GENERAL',
    ]);
    expect(await client.conversations.members({ channel: 'C0OPS' })).toMatchObject({
      members: ['U0ALICE', 'U0BOB', 'U0CAROL', 'U0GUS', 'U0SARA', 'U0BELLHOP'],
    });
  });

  it('with a person are opened', async () => {
    expect(await client.conversations.open({ users: 'U0CAROL' })).toMatchObject({
      channel: { id: 'D0CAROL' },
    });
    expect(await slack.api('conversations.open', { users: 'U0NOBODY' })).toMatchObject({
      error: 'user_not_found',
    });
    expect(await slack.api('conversations.open', {})).toMatchObject({ error: 'users_list_not_supplied' });
  });
});
