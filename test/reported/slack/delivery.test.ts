import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { renderPostProblem } from '../../../src/slack/handle/refusal.ts';
import { rateLimited, refusal, SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { sampleRules } from '../../operations/stage.ts';
import { confirmed } from '../../sample-request.ts';
import { input, openWorkspace, serverError } from './workspace.ts';
import { token } from '../../token-gate.ts';
import { click } from './sent-payloads.ts';

describe('a message that Slack takes no edit of is like one that is gone', () => {
  it.each([
    'cant_update_message',
    'edit_window_closed',
    'message_not_found',
    'is_inactive',
    'some_code_to_come',
  ])('a card, on %s: the newest state is posted once, and edited from then on', async (code) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    const first = proposed?.card?.ts;
    world.heard();
    world.answer((method, { ts }) => (method === 'chat.update' && ts === first ? code : undefined));
    await world.send(click(proposed?.id ?? ''));
    const [ended] = await world.requests();
    expect(ended?.state).toBe('succeeded');
    expect(ended?.card?.ts).not.toBe(first);
    const heard = world.heard();
    expect(heard.map(({ method }) => method)).not.toContain('response_url');
    const [posted, ...edits] = heard;
    expect(posted).toMatchObject({
      method: 'chat.postMessage',
      text: expect.stringContaining('running') as string,
    });
    expect(edits.at(-1)).toMatchObject({
      method: 'chat.update',
      to: `C0OPS ${ended?.card?.ts}`,
      text: expect.stringContaining('succeeded') as string,
    });
  });

  it.each<[what: string, answer: string | SlackError]>([
    ['a passing code', 'internal_error'],
    ['a failed update', 'update_failed'],
    ['a status', serverError('chat.update')],
    ['a rate limit', rateLimited('chat.update', 1)],
    ['a firewall', new SlackError('chat.update', 'http_403', { retryable: false, sent: false })],
    ['blocks that it rejects', 'invalid_blocks'],
  ])('%s is retried by editing, and the presser hears that the click counted', async (_, failure) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.heard();
    world.answer((method) => (method === 'chat.update' ? failure : undefined));
    await world.send(click(proposed?.id ?? ''));
    expect(world.heard()).toEqual([
      {
        method: 'response_url',
        to: '',
        text: expect.stringMatching(
          /^🔄 Your click counted\. \*Reboot web-1\* \(staging\): running\. Slack doesn't accept changes to the card right now/u,
        ) as string,
      },
    ]);
    world.answer(() => undefined);
    await world.clock.advance(60_000);
    await world.queue.work();
    expect(world.heard()).toMatchObject([{ method: 'chat.update', to: `C0OPS ${proposed?.card?.ts}` }]);
  });
});

describe('a private answer has a second way', () => {
  const expired = [404, 'expired_url'] as const;

  it.each<[what: string, url: readonly [number, string]]>([
    ['31 minutes later', expired],
    ['after five answers', [404, 'used_url']],
    ['while the address answers 500', [500, '']],
    ['where the address says no in a 200', [200, '{"ok":false,"error":"expired_url"}']],
  ])('the form of a command, %s', async (_, url) => {
    const world = await openWorkspace({ responseUrl: [url] });
    await world.send(input('form'), 60_000);
    expect(world.heard().filter(({ method }) => method !== 'response_url')).toMatchObject([
      {
        method: 'chat.postEphemeral',
        to: 'C0OPS U0ALICE',
        text: expect.stringMatching(/^Container api/u) as string,
      },
    ]);
  });

  it.each(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived'])(
    'and a third way, where the channel says %s',
    async (code) => {
      const world = await openWorkspace({
        responseUrl: [expired],
        answers: (method) => (method === 'chat.postEphemeral' ? code : undefined),
      });
      await world.send(input('form'), 60_000);
      expect(world.heard()).toMatchObject([{ method: 'chat.postMessage', to: 'U0ALICE' }]);
    },
  );

  it('a refusal, too', async () => {
    const world = await openWorkspace({ responseUrl: [expired] });
    await world.send({ ...input('command'), text: 'reboot web-99' });
    expect(world.heard()).toMatchObject([{ method: 'chat.postEphemeral', to: 'C0OPS U0ALICE' }]);
  });

  it.each<[what: string, failures: number, method: string, change: object]>([
    ['a mention', 1, 'chat.postEphemeral', {}],
    ['a mention', 4, 'chat.postEphemeral', {}],
    ['a mention in a thread', 1, 'chat.postMessage', { thread_ts: '1763690000.000100' }],
    ['a direct message', 2, 'chat.postMessage', { type: 'message', channel_type: 'im', channel: 'D0ALICE' }],
  ])('%s is answered after %i failures of %s', async (_, failures, method, change) => {
    let left = failures;
    const world = await openWorkspace({
      answers: (called) => (called === method && (left -= 1) >= 0 ? serverError(method) : undefined),
    });
    const asked = input('mention');
    const event = { ...z.looseObject({}).parse(asked['event']), ...change, blocks: undefined };
    await world.send({ ...asked, event: { ...event, text: '<@U0BELLHOP> capacity' } }, 60_000);
    expect(world.heard().filter(({ text }) => !text.includes('Looking'))).toMatchObject([{ method }]);
  });

  it('the link of a gate is sent directly to someone who is not in the channel', async () => {
    const { policy } = sampleRules;
    const common = { approvers: [], approvals: 1, typeName: false, breakGlass: [] };
    const signedRule = {
      ...common,
      name: 'all',
      roles: ['anyone'],
      effect: 'confirm',
      demands: [token],
    } as const;
    const world = await openWorkspace({
      answers: (method) => (method === 'chat.postEphemeral' ? 'user_not_in_channel' : undefined),
      rules: {
        policy: { ...policy, rules: [signedRule] },
      },
    });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.heard();
    await world.send(click(proposed?.id ?? ''));
    expect(world.heard()).toMatchObject([
      {
        method: 'chat.postMessage',
        to: 'U0ALICE',
        text: expect.stringMatching(/^Touch the token to confirm/u) as string,
      },
    ]);
  });
});

it.each<[code: string, channel: string, says: RegExp]>([
  ['channel_not_found', 'D0ALICEBOB', /Use a channel, or a direct message with Bellhop\./u],
  ['not_in_channel', 'D0ALICEBOB', /Use a channel, or a direct message with Bellhop\./u],
  ['not_in_channel', 'C0OPS', /\/invite/u],
])('a card that Slack does not take, with %s in %s, says where to go', (code, channel, says) => {
  const { place } = confirmed({});
  const request = confirmed({ place: { ...place, channel } });
  const shown = JSON.stringify(renderPostProblem(request, refusal('chat.postMessage', code), []));
  expect(shown).toMatch(says);
  expect(shown.includes('/invite')).toBe(channel === 'C0OPS');
});

it.each([
  ['hash_conflict', 0],
  ['view_not_found', 1],
])('a form that Slack does not redraw, because of %s, gives %i answers', async (code, answers) => {
  const world = await openWorkspace({
    answers: (method) =>
      method === 'views.update' ? code : method === 'views.open' ? { view: { id: 'V0' } } : undefined,
  });
  await world.send({ ...input('command'), text: 'stop' });
  const view = z.looseObject({}).parse(JSON.parse(world.opened[0] ?? '{}'));
  world.heard();
  await world.send({
    ...input('click'),
    message: undefined,
    container: { type: 'view', view_id: 'V0' },
    view: { ...view, id: 'V0', hash: '1763700000.abc', state: { values: {} } },
    actions: [
      { type: 'external_select', action_id: 'value', block_id: 'target', action_ts: '1763700001.000100' },
    ],
  });
  expect(world.heard()).toHaveLength(answers);
});

it('a double click on a card that Slack has shown, but not yet acknowledged, confirms once', async () => {
  const world = await openWorkspace();
  const { promise, resolve } = Promise.withResolvers<object>();
  let posts = 0;
  world.answer((method) => (method === 'chat.postMessage' && (posts += 1) === 1 ? promise : undefined));
  const typing = world.send(input('command'));
  await vi.waitFor(() => expect(posts).toBe(1));
  const id = (await world.requests())[0]?.id ?? '';
  const where = {
    type: 'message',
    message_ts: '1763700100.000009',
    channel_id: 'C0OPS',
    is_ephemeral: false,
  };
  const pressed = click(id, { container: where });
  const actions = z.tuple([z.looseObject({})]).parse(pressed.actions.slice(0, 1));
  const [first, second] = ['9405.1', '9405.2'].map((trigger) =>
    world.send({
      ...pressed,
      trigger_id: trigger,
      actions: [{ ...actions[0], block_id: `card/${id}`, action_ts: trigger }],
    }),
  );
  resolve({ channel: 'C0OPS', ts: '1763700100.000009' });
  await Promise.all([typing, first, second]);
  const [ended] = await world.requests();
  expect(ended).toMatchObject({ state: 'succeeded', card: { ts: '1763700100.000009' } });
  expect(world.heard().at(-1)).toMatchObject({
    method: 'chat.update',
    text: expect.stringContaining('succeeded') as string,
  });
  expect(posts).toBe(1);
});
