import { LogLevel, SocketModeClient } from '@slack/socket-mode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '../../../../test/until.ts';
import { APP_TOKEN, messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

const envelopeSchema = z.looseObject({
  type: z.string(),
  body: z.looseObject({ command: z.string().optional(), type: z.string().optional() }),
  retry_num: z.number().optional(),
  accepts_response_payload: z.boolean(),
  ack: z.custom<(answer?: object) => Promise<void>>((value) => typeof value === 'function'),
});
type Envelope = z.infer<typeof envelopeSchema>;

let slack: LocalSlack;
let clients: SocketModeClient[];
beforeEach(async () => {
  clients = [];
  slack = await openSlack({ appUrl: '' });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.disconnect()));
  await slack.close();
});

/** Slack's own client, connected. `answer` returns the acknowledgement, or `nothing` for none. */
async function connect(answer: (envelope: Envelope) => object | 'nothing' = () => ({})) {
  const received: Envelope[] = [];
  const client = new SocketModeClient({
    appToken: APP_TOKEN,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${slack.workspace.url}/api/` },
  });
  clients.push(client);
  client.on('slack_event', (event: unknown) => {
    const envelope = envelopeSchema.parse(event);
    received.push(envelope);
    const said = answer(envelope);
    if (said !== 'nothing') void envelope.ack(said);
  });
  await client.start();
  return { client, received };
}

const command = () => slack.gesture('send', { text: '/cloud ips', channel: 'C0OPS' });

describe('Socket Mode', () => {
  it('carries slash commands, and answers in the acknowledgement', async () => {
    const { received } = await connect(() => ({ text: 'Three addresses' }));
    expect(await command()).toEqual({ ok: true });
    expect(received).toMatchObject([
      {
        type: 'slash_commands',
        accepts_response_payload: true,
        body: { command: '/cloud', text: 'ips', user_id: 'U0ALICE' },
      },
    ]);
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ text: 'Three addresses', ephemeral: true }]);
  });

  it('carries clicks', async () => {
    const { received } = await connect();
    const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
    const { ts } = await slack.api('chat.postMessage', {
      channel: 'C0OPS',
      text: 'x',
      blocks: [{ type: 'actions', block_id: 'b', elements: [button] }],
    });
    const container = { type: 'message', channel: 'C0OPS', ts };
    const value = { type: 'button' };
    expect(await slack.gesture('action', { container, block_id: 'b', action_id: 'go', value })).toEqual({
      ok: true,
    });
    expect(received).toMatchObject([{ type: 'interactive', body: { type: 'block_actions' } }]);
  });

  it('carries events, and again while they are not acknowledged', async () => {
    const { received } = await connect((envelope) => (envelope.retry_num === 0 ? 'nothing' : {}));
    await slack.gesture('home', {});
    await until(() => received.length === 1);
    slack.advance(3_000);
    await until(() => received.length === 2);
    expect(received.map(({ type, retry_num }) => [type, retry_num])).toEqual([
      ['events_api', 0],
      ['events_api', 1],
    ]);
    expect(received[0]?.accepts_response_payload).toBe(false);
  });

  it('gives each payload to one of several connections', async () => {
    const [one, two] = [await connect(), await connect()];
    for (let n = 0; n < 4; n += 1) expect(await command()).toEqual({ ok: true });
    expect([one.received.length, two.received.length]).toEqual([2, 2]);
  });

  it('says operation_timeout when nothing is acknowledged in 3 seconds', async () => {
    const { received } = await connect(() => 'nothing');
    const outcome = command();
    await until(() => received.length === 1);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
  });

  it('reconnects when connections are refreshed, and loses nothing afterwards', async () => {
    const { client, received } = await connect();
    const reconnected = new Promise((resolve) => {
      client.once('connected', resolve);
    });
    slack.workspace.refreshSockets();
    await reconnected;
    expect(await command()).toEqual({ ok: true });
    expect(received).toHaveLength(1);
  });

  it('asks for a refresh by itself after three hours', async () => {
    const { client } = await connect();
    const reconnected = new Promise((resolve) => {
      client.once('connected', resolve);
    });
    slack.advance(3 * 60 * 60_000);
    await reconnected;
    expect(await command()).toEqual({ ok: true });
  });

  it('carries what is longer than a short frame', async () => {
    const { received } = await connect();
    const text = `/cloud ${'é'.repeat(39_000)}`;
    expect(await slack.gesture('send', { text, channel: 'C0OPS' })).toEqual({ ok: true });
    expect(received[0]?.body['text']).toBe('é'.repeat(39_000));
  });

  it('needs the app-level token, and a ticket that was not used', async () => {
    expect(await slack.api('apps.connections.open', {}, 'xapp-other')).toMatchObject({
      error: 'invalid_auth',
    });
    const { url = '' } = await slack.api('apps.connections.open', {}, APP_TOKEN);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\/\?ticket=/);
    const [first, second] = [await opened(url), await opened(url)];
    expect([first, second]).toEqual(['hello', 'refused']);
  });

  it('without a connection has nowhere to send to', async () => {
    expect(await command()).toMatchObject({ ok: false, error: 'dispatch_failed' });
  });

  it.each([
    ['of more than a mebibyte', 'x'.repeat(1024 * 1024 + 1), 1_009],
    ['in binary', Buffer.from('x'), 1_003],
  ])('ends a connection on which a message %s comes', async (_name, message, code) => {
    const { url } = await slack.api('apps.connections.open', {}, APP_TOKEN);
    const socket = new WebSocket(z.string().parse(url));
    socket.addEventListener('message', () => socket.send(message));
    const closedWith = await new Promise((resolve) => {
      socket.addEventListener('close', (event) => resolve(event.code));
    });
    expect(closedWith).toBe(code);
  });
});

/** The first message to a plain WebSocket. */
function opened(url: string): Promise<string> {
  const socket = new WebSocket(url);
  return new Promise((resolve) => {
    socket.addEventListener('error', () => resolve('refused'));
    socket.addEventListener('message', ({ data }) => {
      resolve(z.object({ type: z.string() }).parse(JSON.parse(String(data))).type);
      socket.close();
    });
  });
}
