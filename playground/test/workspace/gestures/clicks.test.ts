import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { MANIFEST, messagesOf, postJson, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const plain = (text: string) => ({ type: 'plain_text', text });
const CARD = [
  {
    type: 'actions',
    block_id: 'card',
    elements: [
      { type: 'button', action_id: 'reboot', text: plain('Reboot web-1'), value: 'r1', style: 'danger' },
      { type: 'static_select', action_id: 'pick', options: [{ text: plain('One'), value: '1' }] },
      { type: 'external_select', action_id: 'load', min_query_length: 0 },
    ],
  },
  {
    type: 'input',
    block_id: 'why',
    label: plain('Why'),
    element: { type: 'plain_text_input', action_id: 'reason', initial_value: 'because' },
  },
];

async function post(as?: string): Promise<string> {
  const method = as === undefined ? 'chat.postMessage' : 'chat.postEphemeral';
  const answer = await slack.api(method, { channel: 'C0OPS', text: 'Reboot?', blocks: CARD, user: as });
  return answer.ts ?? answer.message_ts ?? '';
}

const click = (ts: string, extra: Record<string, unknown> = {}) =>
  slack.gesture('action', {
    container: { type: 'message', channel: 'C0OPS', ts },
    block_id: 'card',
    action_id: 'reboot',
    value: { type: 'button' },
    ...extra,
  });

const respond = (url: string, body: Record<string, unknown>) => postJson(url, body);

describe('a click on a message', () => {
  it('reaches the app signed, with the message, the state and who clicked', async () => {
    const ts = await post();
    expect(await click(ts, { as: 'U0SARA' })).toEqual({ ok: true });
    const [received] = slack.app.received;
    expect(received?.signed).toBe(true);
    expect(received?.payload).toMatchObject({
      type: 'block_actions',
      team: { id: 'T0LOCAL' },
      user: { id: 'U0SARA', team_id: 'T0OTHER' },
      container: { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false },
      channel: { id: 'C0OPS', name: 'ops' },
      message: { ts, text: 'Reboot?', bot_id: 'B0BELLHOP' },
      state: {
        values: {
          card: { pick: { type: 'static_select', selected_option: null } },
          why: { reason: { type: 'plain_text_input', value: 'because' } },
        },
      },
      actions: [
        { type: 'button', action_id: 'reboot', block_id: 'card', value: 'r1', text: plain('Reboot web-1') },
      ],
    });
  });

  it('carries the values of the inputs of the message', async () => {
    const values = { why: { reason: { type: 'plain_text_input', value: 'load' } } };
    await click(await post(), { values });
    expect(slack.app.received[0]?.payload).toMatchObject({ state: { values } });
  });

  it('on an ephemeral message comes without the message', async () => {
    await click(await post('U0ALICE'));
    expect(slack.app.received[0]?.payload).toMatchObject({ container: { is_ephemeral: true } });
    expect(slack.app.received[0]?.payload).not.toHaveProperty('message');
  });

  it('carries the option as the block has it, whatever the page says of it', async () => {
    const value = { type: 'static_select', selected_option: { text: plain('Forged'), value: '1' } };
    await click(await post(), { action_id: 'pick', value });
    expect(slack.app.received[0]?.payload).toMatchObject({
      actions: [{ selected_option: { text: plain('One'), value: '1' } }],
    });
  });

  it.each([
    [
      'an option that is not offered',
      {
        action_id: 'pick',
        value: { type: 'static_select', selected_option: { text: plain('x'), value: '9' } },
      },
      'invalid_value',
    ],
    [
      'a value of another kind',
      { value: { type: 'datepicker', selected_date: '2026-11-21' } },
      'invalid_value',
    ],
    ['a control that is gone', { action_id: 'other' }, 'not_found'],
    [
      'a message that is gone',
      { container: { type: 'message', channel: 'C0OPS', ts: '1.000001' } },
      'message_not_found',
    ],
    ['an unknown person', { as: 'U0NOBODY' }, 'unknown_person'],
  ])('is refused for %s', async (_name, extra, error) => {
    expect(await click(await post(), extra)).toMatchObject({ ok: false, error });
    expect(slack.app.received).toEqual([]);
  });

  it('on a private message to another person is refused', async () => {
    expect(await click(await post('U0BOB'))).toMatchObject({ ok: false, error: 'message_not_found' });
  });

  it('without an acknowledgement in 3 seconds says operation_timeout', async () => {
    slack.app.answer = () => undefined;
    const outcome = click(await post());
    await until(() => slack.app.received.length === 1);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
  });

  it('is not possible where the manifest has no interactivity', async () => {
    await slack.close();
    slack = await openSlack({ manifest: { ...MANIFEST, settings: {} } });
    expect(await click(await post())).toMatchObject({ ok: false, error: 'not_interactive' });
  });
});

async function clicked(as?: string): Promise<{ ts: string; url: string }> {
  const ts = await post(as);
  await click(ts);
  return { ts, url: String(slack.app.received.at(-1)?.payload.response_url) };
}

describe('a response_url', () => {
  it('answers privately unless it says in_channel', async () => {
    const { url } = await clicked();
    expect(await respond(url, { text: 'only you' })).toEqual({ status: 200, answer: { ok: true } });
    await respond(url, { text: 'all of you', response_type: 'in_channel' });
    expect((await messagesOf(slack, 'C0OPS')).map(({ text }) => text)).toEqual([
      'Reboot?',
      'only you',
      'all of you',
    ]);
    expect((await messagesOf(slack, 'C0OPS', 'U0BOB')).map(({ text }) => text)).toEqual([
      'Reboot?',
      'all of you',
    ]);
  });

  it.each([undefined, 'U0ALICE'])(
    'replaces and deletes the message that was clicked (ephemeral to %s)',
    async (as) => {
      const { ts, url } = await clicked(as);
      await respond(url, { text: 'done', replace_original: true });
      expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
        { ts, text: 'done', blocks: [], edited: true },
      ]);
      await respond(url, { delete_original: true });
      expect(await messagesOf(slack, 'C0OPS')).toEqual([]);
    },
  );

  it('answers in a thread', async () => {
    const { ts, url } = await clicked();
    await respond(url, { text: 'in the thread', response_type: 'in_channel', thread_ts: ts });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ ts, reply_count: 1 }, { thread_ts: ts }]);
  });

  it('answers in the channel where it names no thread, also of a message that others replied to', async () => {
    const ts = await post();
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'a reply', thread_ts: ts });
    await click(ts);
    await respond(String(slack.app.received.at(-1)?.payload.response_url), { text: 'only you' });
    const answer = (await messagesOf(slack, 'C0OPS')).find(({ text }) => text === 'only you');
    expect(answer?.ephemeral).toBe(true);
    expect(answer?.thread_ts).toBeUndefined();
  });

  it('works five times', async () => {
    const { url } = await clicked();
    for (let use = 1; use <= 5; use += 1) expect((await respond(url, { text: `${use}` })).status).toBe(200);
    expect(await respond(url, { text: '6' })).toEqual({
      status: 404,
      answer: { ok: false, error: 'used_url' },
    });
  });

  it('works for 30 minutes', async () => {
    const { url } = await clicked();
    slack.advance(30 * 60_000);
    expect((await respond(url, { text: 'just in time' })).status).toBe(200);
    slack.advance(1);
    expect(await respond(url, { text: 'late' })).toEqual({
      status: 404,
      answer: { ok: false, error: 'expired_url' },
    });
  });

  it.each([
    ['bad blocks', { blocks: [{ type: 'header' }] }, 'invalid_blocks'],
    ['nothing', {}, 'no_text'],
    ['a body of another shape', { text: 3 }, 'invalid_payload'],
  ])('refuses %s', async (_name, body, error) => {
    const { url } = await clicked();
    expect(await respond(url, body)).toMatchObject({ status: 400, answer: { ok: false, error } });
  });

  it('of a slash command works too', async () => {
    await slack.gesture('send', { text: '/cloud ips', channel: 'C0OPS' });
    await respond(String(slack.app.received[0]?.form['response_url']), { text: 'later' });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'later', ephemeral: true }]);
  });

  it('of a slash command replaces the answer before', async () => {
    await slack.gesture('send', { text: '/cloud ips', channel: 'C0OPS' });
    const url = String(slack.app.received[0]?.form['response_url']);
    const nothing = { status: 400, answer: { error: 'message_not_found' } };
    expect(await respond(url, { text: 'too early', replace_original: true })).toMatchObject(nothing);
    await respond(url, { text: 'Looking…' });
    await respond(url, { text: 'three', replace_original: true });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'three', ephemeral: true }]);
  });
});

const load = async (ts: string) =>
  slack.gesture('options', {
    container: { type: 'message', channel: 'C0OPS', ts },
    block_id: 'card',
    action_id: 'load',
    value: 'we',
  });

describe('an external select', () => {
  it('asks the app for the options that fit the typed text', async () => {
    const options = [{ text: plain('web-1'), value: 'web-1' }];
    slack.app.answer = (_received, response) => response.end(JSON.stringify({ options }));
    expect(await load(await post())).toEqual({ ok: true, options });
    expect(slack.app.received[0]?.payload).toMatchObject({
      type: 'block_suggestion',
      value: 'we',
      action_id: 'load',
    });
  });

  it('takes groups', async () => {
    const option_groups = [{ label: plain('web'), options: [{ text: plain('web-1'), value: 'web-1' }] }];
    slack.app.answer = (_received, response) => response.end(JSON.stringify({ option_groups }));
    expect(await load(await post())).toEqual({ ok: true, option_groups });
  });

  it('refuses what Slack would refuse', async () => {
    slack.app.answer = (_received, response) =>
      response.end(JSON.stringify({ options: [{ text: 'web-1' }] }));
    expect(await load(await post())).toMatchObject({ ok: false, error: 'invalid_response' });
  });
});
