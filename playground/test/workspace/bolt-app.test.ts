import { App, HTTPReceiver, LogLevel, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { until } from '../../../test/until.ts';
import {
  APP_TOKEN,
  BOT_TOKEN,
  messagesOf,
  openSlack,
  SIGNING_SECRET,
  type LocalSlack,
  withEvents,
} from './open-slack.ts';

const manifest = withEvents(
  ['app_mention', 'message.im', 'reaction_added'],
  'reactions:read',
  'reactions:write',
);
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const logLevel = LogLevel.ERROR;

/** An ordinary Bolt app: a command opens a form, the form posts a card, the card's button ends it. */
function sampleApp(receiver: Receiver, slackApiUrl: string): App {
  const app = new App({ token: BOT_TOKEN, receiver, logLevel, clientOptions: { slackApiUrl } });
  app.command('/cloud', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'reboot',
        private_metadata: body.channel_id,
        title: plain('Reboot'),
        submit: plain('Go on'),
        blocks: [
          {
            type: 'input',
            block_id: 'name',
            label: plain('Instance'),
            element: { type: 'plain_text_input', action_id: 'value' },
          },
        ],
      },
    });
  });
  app.view('reboot', async ({ ack, view, client }) => {
    const name = view.state.values['name']?.['value']?.value ?? '';
    if (name === 'db-1') return ack({ response_action: 'errors', errors: { name: 'Not that one' } });
    await ack();
    const elements = [
      { type: 'button' as const, action_id: 'go', text: plain(`Reboot ${name}`), style: 'danger' as const },
    ];
    await client.apiCall('chat.postMessage', {
      channel: view.private_metadata,
      text: name,
      blocks: [{ type: 'actions', block_id: 'card', elements }],
    });
    return undefined;
  });
  listenInThreads(app);
  app.action('go', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'succeeded', replace_original: true });
  });
  return app;
}

/** Answers mentions, direct messages, shortcuts and reactions. */
function listenInThreads(app: App): void {
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `mentioned: ${event.text}`, thread_ts: event.thread_ts ?? event.ts });
  });
  app.message('status', async ({ message, say }) => {
    if (message.channel_type === 'im') await say('all well');
  });
  app.shortcut('run_on', async ({ ack, shortcut, client, respond }) => {
    await ack();
    if (shortcut.type !== 'message_action') return;
    const { channel, message } = shortcut;
    await client.reactions.add({ channel: channel.id, timestamp: message.ts, name: 'eyes' });
    await respond(`on ${message.text ?? ''}`);
  });
  app.shortcut({ callback_id: 'run', type: 'shortcut' }, async ({ ack, shortcut, client }) => {
    await ack();
    await client.views.open({
      trigger_id: shortcut.trigger_id,
      view: { type: 'modal', title: plain('Run'), blocks: [{ type: 'divider' }] },
    });
  });
  app.event('reaction_added', async ({ event, client }) => {
    if (event.reaction !== 'x') return;
    await client.chat.update({ channel: event.item.channel, ts: event.item.ts, text: 'crossed out' });
  });
}

let slack: LocalSlack;
let app: App;
afterEach(async () => {
  await app.stop();
  await slack.close();
});

const starts: [string, () => Promise<void>][] = [
  [
    'HTTP',
    async () => {
      const port = await freePort();
      slack = await openSlack({ appUrl: `http://127.0.0.1:${port}/slack/events`, now: Date.now, manifest });
      app = sampleApp(
        new HTTPReceiver({ signingSecret: SIGNING_SECRET, logLevel }),
        `${slack.workspace.url}/api/`,
      );
      await app.start({ port, host: '127.0.0.1' });
    },
  ],
  [
    'Socket Mode',
    async () => {
      slack = await openSlack({ appUrl: '', now: Date.now, manifest });
      const slackApiUrl = `${slack.workspace.url}/api/`;
      app = sampleApp(
        new SocketModeReceiver({
          appToken: APP_TOKEN,
          logLevel,
          installerOptions: { clientOptions: { slackApiUrl } },
        }),
        slackApiUrl,
      );
      await app.start();
    },
  ],
];

describe('an ordinary Bolt app', () => {
  it.each(starts)('works by %s: command, form with an error, card, click', async (_name, start) => {
    await start();
    expect(await slack.gesture('send', { text: '/cloud reboot', channel: 'C0OPS' })).toEqual({ ok: true });
    const view = await until(async () => (await slack.state()).modals[0]);
    const submit = (value: string) =>
      slack.gesture('submit', {
        view_id: view.id,
        values: { name: { value: { type: 'plain_text_input', value } } },
      });
    expect(await submit('db-1')).toMatchObject({ ok: false, error: 'view_errors' });
    expect(await submit('web-1')).toEqual({ ok: true });
    const [card] = await until(async () => {
      const messages = await messagesOf(slack, 'C0OPS');
      return messages.length > 0 && messages;
    });
    const container = { type: 'message', channel: 'C0OPS', ts: card?.ts };
    const value = { type: 'button' };
    expect(await slack.gesture('action', { container, block_id: 'card', action_id: 'go', value })).toEqual({
      ok: true,
    });
    await until(async () => (await messagesOf(slack, 'C0OPS'))[0]?.text === 'succeeded');
  });

  it.each(starts)(
    'works by %s: mention in a thread, direct message, shortcuts, reactions',
    async (_name, start) => {
      await start();
      const say = (channel: string, text: string, thread_ts?: string) =>
        slack.gesture('send', { channel, text, thread_ts });
      const found = (channel: string, text: string) =>
        until(async () => (await messagesOf(slack, channel)).find((message) => message.text === text));
      await say('C0OPS', 'web-1 is down');
      const alert = await found('C0OPS', 'web-1 is down');
      await say('C0OPS', '@Bellhop look', alert.ts);
      const answer = await found('C0OPS', 'mentioned: <@U0BELLHOP> look');
      expect(answer.thread_ts).toBe(alert.ts);
      await say('D0ALICE', 'status?');
      await found('D0ALICE', 'all well');
      const message = { channel: 'C0OPS', ts: alert.ts };
      expect(await slack.gesture('shortcut', { callback_id: 'run_on', message })).toEqual({ ok: true });
      expect(await found('C0OPS', 'on web-1 is down')).toMatchObject({ ephemeral: true });
      const [reacted] = await messagesOf(slack, 'C0OPS');
      expect(reacted?.reactions).toEqual([{ name: 'eyes', users: ['U0BELLHOP'] }]);
      expect(await slack.gesture('shortcut', { callback_id: 'run' })).toEqual({ ok: true });
      await until(async () => (await slack.state()).modals[0]);
      await slack.gesture('react', { channel: 'C0OPS', ts: answer.ts, name: 'x' });
      await found('C0OPS', 'crossed out');
    },
  );
});
