import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventsHeard } from '../events.ts';
import { listen, messagesOf, openSlack, type LocalSlack, withEvents } from '../open-slack.ts';
import { until } from '../../../../test/until.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';

const manifest = withEvents(['member_joined_channel', 'message.channels'], 'channels:manage');
let dataDir: string;
let slack: LocalSlack;
beforeEach(async () => {
  dataDir = temporaryFolder();
  slack = await openSlack({ manifest, dataDir });
});
afterEach(() => slack.close());

const createdSchema = z.looseObject({ id: z.string() });
async function create(name = 'incident-43'): Promise<string> {
  const { channel } = await slack.api('conversations.create', { name });
  return createdSchema.parse(channel).id;
}
const invite = (channel: string, users: string, further: object = {}) =>
  slack.api('conversations.invite', { channel, users, ...further });
const channelsOf = async (as: string) => (await slack.state(as)).channels.map(({ name }) => name);

describe('conversations.create', () => {
  it('makes a public channel that the app is in, alone, and writes to by name', async () => {
    expect(await slack.api('conversations.create', { name: 'incident-43' })).toMatchObject({
      ok: true,
      channel: { name: 'incident-43', is_member: true, is_private: false, num_members: 1 },
    });
    expect(await slack.api('conversations.list', {})).toMatchObject({
      channels: [{ name: 'ops' }, { name: 'incident-42' }, { name: 'general' }, { name: 'incident-43' }],
    });
    expect(await slack.api('chat.postMessage', { channel: '#incident-43', text: 'here' })).toMatchObject({
      ok: true,
    });
    expect(await channelsOf('U0ALICE')).not.toContain('incident-43');
  });

  it.each([
    ['', 'invalid_name_required'],
    ['x'.repeat(81), 'invalid_name_maxlength'],
    ['Incident 43', 'invalid_name_specials'],
    ['--', 'invalid_name_punctuation'],
    ['ops', 'name_taken'],
  ])('refuses the name “%s” with %s', async (name, error) => {
    expect(await slack.api('conversations.create', { name })).toMatchObject({ ok: false, error });
  });

  it('needs channels:manage, and makes no private channels', async () => {
    const input = { name: 'secret', is_private: true };
    expect(await slack.api('conversations.create', input)).toMatchObject({ error: 'restricted_action' });
    await slack.close();
    slack = await openSlack({ dataDir });
    expect(await slack.api('conversations.create', input)).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:manage',
    });
  });
});

describe('conversations.invite', () => {
  it('adds people, who see earlier messages; the app gets an event for each', async () => {
    const channel = await create();
    await slack.api('chat.postMessage', { channel, text: 'checkout is slow' });
    const page = await listen(slack, 'U0BOB', 'page-2');
    expect(await invite(channel, 'U0ALICE,U0BOB')).toMatchObject({
      ok: true,
      channel: { id: channel, num_members: 3 },
    });
    await until(() => page.events.some(({ event }) => event.type === 'reload'));
    page.stop();
    expect(await messagesOf(slack, channel, 'U0BOB')).toMatchObject([{ text: 'checkout is slow' }]);
    expect(await eventsHeard(slack, 'member_joined_channel', 2)).toMatchObject([
      { user: 'U0ALICE', channel, inviter: 'U0BELLHOP' },
      { user: 'U0BOB', channel, inviter: 'U0BELLHOP' },
    ]);
    await slack.gesture('send', { channel, text: 'looking, see #incident-43' });
    expect((await eventsHeard(slack, 'message', 2)).at(-1)).toMatchObject({
      channel,
      text: `looking, see <#${channel}|incident-43>`,
    });
  });

  it.each([
    ['U0ALICE', 'already_in_channel'],
    ['U0BELLHOP', 'cant_invite_self'],
    ['U0NOBODY', 'user_not_found'],
    ['U0SARA', 'no_external_invite_permission'],
  ])('refuses %s with %s, and then all of them unless it is forced', async (user, error) => {
    const channel = await create();
    await invite(channel, 'U0ALICE');
    const errors = [{ user, ok: false, error }];
    expect(await invite(channel, `${user},U0BOB`)).toMatchObject({ ok: false, error, errors });
    expect(await channelsOf('U0BOB')).not.toContain('incident-43');
    expect(await invite(channel, `${user},U0BOB`, { force: true })).toMatchObject({ ok: true, errors });
    expect(await channelsOf('U0BOB')).toContain('incident-43');
    expect(await invite(channel, user, { force: true })).toMatchObject({ ok: false, error, errors });
  });

  it('is for channels that the app is in', async () => {
    expect(await invite('C0INC42', 'U0GUS')).toMatchObject({ error: 'not_in_channel' });
    expect(await invite('C0NONE', 'U0GUS')).toMatchObject({ error: 'channel_not_found' });
    expect(await invite('D0ALICE', 'U0GUS')).toMatchObject({
      error: 'method_not_supported_for_channel_type',
    });
  });
});

it('a channel and who came into it are still there after a restart', async () => {
  await invite(await create(), 'U0GUS');
  await slack.close();
  slack = await openSlack({ manifest, dataDir });
  expect(await channelsOf('U0GUS')).toEqual(['ops', 'incident-43', 'Bellhop']);
});
