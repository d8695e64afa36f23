import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const say = (text: string, as = 'U0ALICE', channel = 'C0OPS') => slack.gesture('send', { text, as, channel });

describe('a slash command', () => {
  it('reaches the app signed, as a form', async () => {
    expect(await say('/cloud reboot web-1')).toEqual({ ok: true });
    const [received] = slack.app.received;
    expect(received?.signed).toBe(true);
    expect(received?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(received?.form).toMatchObject({
      command: '/cloud',
      text: 'reboot web-1',
      team_id: 'T0LOCAL',
      channel_id: 'C0OPS',
      channel_name: 'ops',
      user_id: 'U0ALICE',
      api_app_id: 'A0BELLHOP',
    });
  });

  it('carries the team of a person from another organization', async () => {
    await say('/cloud ips', 'U0SARA');
    expect(slack.app.received[0]?.form).toMatchObject({ user_id: 'U0SARA', team_id: 'T0OTHER' });
  });

  it.each([
    ['/cloud ask @bob in #ops', 'ask <@U0BOB|bob> in <#C0OPS|ops>'],
    ['/cloud ask <@U0BOB>', 'ask <@U0BOB|bob>'],
    ['/cloud a & b <c>', 'a &amp; b &lt;c&gt;'],
    ['/cloud mail me@bob.example', 'mail me@bob.example'],
    ['/raw ask @bob in #ops', 'ask @bob in #ops'],
  ])('%s arrives as %s', async (typed, text) => {
    await say(typed);
    expect(slack.app.received[0]?.form['text']).toBe(text);
  });

  it.each([
    ['plain text', 'text/plain', 'Working on it'],
    ['JSON', 'application/json', JSON.stringify({ text: 'Working on it' })],
  ])('is answered privately by %s in the acknowledgement', async (_name, type, body) => {
    slack.app.answer = (_received, response) => response.setHeader('content-type', type).end(body);
    await say('/cloud ips');
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'Working on it', ephemeral: true }]);
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toEqual([]);
  });

  it('is answered for all to see when the answer says in_channel', async () => {
    slack.app.answer = (_received, response) =>
      response.end(JSON.stringify({ response_type: 'in_channel', text: 'Three addresses' }));
    await say('/cloud ips');
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toMatchObject([
      { text: 'Three addresses', ephemeral: false },
    ]);
  });

  it('fails with invalid_command_response when the answer has bad blocks', async () => {
    slack.app.answer = (_received, response) =>
      response.end(JSON.stringify({ blocks: [{ type: 'nonsense' }] }));
    expect(await say('/cloud ips')).toMatchObject({ ok: false, error: 'invalid_command_response' });
  });

  it('fails with operation_timeout when there is no acknowledgement within 3 seconds', async () => {
    slack.app.answer = () => undefined;
    const outcome = say('/cloud ips');
    await until(() => slack.app.received.length === 1);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([
      { user: 'USLACKBOT', ephemeral: true, text: '/cloud failed with the error “operation_timeout”' },
    ]);
  });

  it.each([404, 500])('fails with dispatch_failed when the app answers %i', async (status) => {
    slack.app.answer = (_received, response) => response.writeHead(status).end();
    expect(await say('/cloud ips')).toMatchObject({ ok: false, error: 'dispatch_failed' });
  });

  it('fails with dispatch_failed when the app is down', async () => {
    await slack.app.close();
    expect(await say('/cloud ips')).toMatchObject({ ok: false, error: 'dispatch_failed' });
  });

  it.each([
    ['an unknown command', { text: '/clod ips', channel: 'C0OPS' }, 'unknown_command'],
    [
      'a command in a thread',
      { text: '/cloud ips', channel: 'C0OPS', thread_ts: '1.000001' },
      'not_in_threads',
    ],
    ['nothing', { text: '  ', channel: 'C0OPS' }, 'no_text'],
    [
      'a channel one is not in',
      { text: '/cloud ips', channel: 'C0GENERAL', as: 'U0GUS' },
      'channel_not_found',
    ],
  ])('is refused for %s, and the app hears nothing', async (_name, body, error) => {
    expect(await slack.gesture('send', body)).toMatchObject({ ok: false, error });
    expect(slack.app.received).toEqual([]);
  });
});
