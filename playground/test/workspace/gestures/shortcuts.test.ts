import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const run = (callback_id: string, ts?: string, further: Record<string, unknown> = {}) =>
  slack.gesture('shortcut', {
    callback_id,
    message: ts === undefined ? undefined : { channel: 'C0OPS', ts },
    ...further,
  });
const post = async (input: Record<string, unknown>) =>
  (await slack.api('chat.postMessage', { channel: 'C0OPS', ...input })).ts ?? '';

describe('a message shortcut', () => {
  it('carries the message, and a trigger and a response_url that work', async () => {
    const parent = await post({ text: 'alert' });
    const ts = await post({ text: 'web-1 is down', thread_ts: parent });
    expect(await run('run_on', ts)).toEqual({ ok: true });
    const [received] = slack.app.received;
    expect(received?.signed).toBe(true);
    expect(received?.payload).toMatchObject({
      type: 'message_action',
      callback_id: 'run_on',
      team: { id: 'T0LOCAL' },
      user: { id: 'U0ALICE', name: 'alice', team_id: 'T0LOCAL' },
      channel: { id: 'C0OPS', name: 'ops' },
      message_ts: ts,
      message: { type: 'message', ts, thread_ts: parent, text: 'web-1 is down', bot_id: 'B0BELLHOP' },
      is_enterprise_install: false,
    });
    expect(received?.payload['action_ts']).toMatch(/^\d+\.\d{6}$/);
    const { trigger_id, response_url = '' } = received?.payload ?? {};
    const view = { type: 'modal', title: { type: 'plain_text', text: 'Run' }, blocks: [{ type: 'divider' }] };
    expect(await slack.api('views.open', { trigger_id, view })).toMatchObject({ ok: true });
    await fetch(response_url, { method: 'POST', body: JSON.stringify({ text: 'here you are' }) });
    expect((await messagesOf(slack, 'C0OPS')).at(-1)).toMatchObject({
      ephemeral: true,
      text: 'here you are',
    });
  });

  it('says what a person wrote with the blocks of the composer', async () => {
    await slack.gesture('send', { channel: 'C0OPS', text: 'look at *web-1*', as: 'U0BOB' });
    const [message] = await messagesOf(slack, 'C0OPS');
    await run('run_on', message?.ts);
    expect(slack.app.received[0]?.payload).toMatchObject({
      message: { user: 'U0BOB', text: 'look at *web-1*', blocks: [{ type: 'rich_text' }] },
    });
  });

  it('is shown as failed if the app does not answer properly', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    expect(await run('run_on', await post({ text: 'x' }))).toMatchObject({
      ok: false,
      error: 'dispatch_failed',
    });
  });

  it('is for messages that the person sees, that are for all to see, and are still there', async () => {
    const ts = await post({ text: 'x' });
    const { message_ts } = await slack.api('chat.postEphemeral', {
      channel: 'C0OPS',
      user: 'U0ALICE',
      text: 'psst',
    });
    expect(await run('run_on', message_ts)).toMatchObject({ error: 'message_not_found' });
    const elsewhere = { message: { channel: 'D0BOB', ts } };
    expect(await run('run_on', undefined, elsewhere)).toMatchObject({ error: 'message_not_found' });
    await slack.api('chat.delete', { channel: 'C0OPS', ts });
    expect(await run('run_on', ts)).toMatchObject({ error: 'message_not_found' });
    expect(slack.app.received).toEqual([]);
  });
});

describe('a global shortcut', () => {
  it('carries who ran it and a trigger, and no place', async () => {
    expect(await run('run', undefined, { as: 'U0SARA' })).toEqual({ ok: true });
    const [received] = slack.app.received;
    expect(received?.payload).toMatchObject({
      type: 'shortcut',
      callback_id: 'run',
      user: { id: 'U0SARA', username: 'sara', team_id: 'T0OTHER' },
    });
    for (const field of ['channel', 'message', 'response_url', 'actions'])
      expect(JSON.parse(received?.form['payload'] ?? '{}')).not.toHaveProperty(field);
    const view = { type: 'modal', title: { type: 'plain_text', text: 'Run' }, blocks: [{ type: 'divider' }] };
    const { trigger_id } = received?.payload ?? {};
    expect(await slack.api('views.open', { trigger_id, view })).toMatchObject({ ok: true });
  });

  it.each([
    ['one that the manifest does not have', 'other', undefined],
    ['a message shortcut without its message', 'run_on', undefined],
  ])('is not %s', async (_name, callback_id, ts) => {
    expect(await run(callback_id, ts)).toMatchObject({ ok: false, error: 'unknown_shortcut' });
  });
});
