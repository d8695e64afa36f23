import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MANIFEST, APP_TOKEN, BOT_TOKEN, postJson, openSlack, type LocalSlack } from '../open-slack.ts';

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
const withScopes = (bot: string[]) => ({ ...MANIFEST, oauth_config: { scopes: { bot } } });

describe('a token', () => {
  it('is needed to call a method', async () => {
    const { answer } = await postJson(`${slack.workspace.url}/api/auth.test`, {});
    expect(answer).toMatchObject({ ok: false, error: 'not_authed' });
  });

  it.each([
    ['unknown', 'auth.test', 'xoxb-other', 'invalid_auth'],
    ['of the app where the bot’s is asked', 'chat.postMessage', APP_TOKEN, 'not_allowed_token_type'],
    ['of the bot where the app’s is asked', 'apps.connections.open', BOT_TOKEN, 'not_allowed_token_type'],
  ])('%s is refused by %s', async (_name, method, token, error) => {
    expect(await slack.api(method, {}, token)).toMatchObject({ ok: false, error });
  });

  it('goes among the arguments of a form too', async () => {
    const answer = await request(`${slack.workspace.url}/api/auth.test`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${BOT_TOKEN}`,
    });
    expect(await answer.body.json()).toMatchObject({
      ok: true,
      team_id: 'T0LOCAL',
      user_id: 'U0BELLHOP',
      bot_id: 'B0BELLHOP',
    });
    expect(answer.headers['x-oauth-scopes']).toContain('chat:write');
  });

  it('lacks a scope that the manifest does not ask for', async () => {
    await slack.close();
    slack = await openSlack({ manifest: withScopes(['commands', 'users:read']) });
    expect(await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x' })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'commands,users:read',
    });
  });
});

describe('a message to the app', () => {
  it('is refused where the manifest lets people only read', async () => {
    await slack.close();
    const app_home = {
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: true,
    };
    slack = await openSlack({ manifest: { ...MANIFEST, features: { ...MANIFEST.features, app_home } } });
    const said = await slack.gesture('send', { channel: 'D0ALICE', text: 'hello' });
    expect(said).toMatchObject({ ok: false, error: 'messages_tab_disabled' });
    expect(await slack.gesture('send', { channel: 'D0ALICE', text: '/cloud ips' })).toEqual({ ok: true });
  });
});

describe('a permalink', () => {
  it('leads to the workspace', async () => {
    const { ts = '' } = await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x' });
    const { permalink } = await client.chat.getPermalink({ channel: 'C0OPS', message_ts: ts });
    expect(permalink).toBe(`${slack.workspace.url}/archives/C0OPS/p${ts.replace('.', '')}`);
  });
});

describe('the Web API', () => {
  it('does not know other methods', async () => {
    expect(await slack.api('chat.shout')).toEqual({
      ok: false,
      error: 'unknown_method',
      req_method: 'chat.shout',
    });
  });

  it('tests itself', async () => {
    expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({
      ok: true,
      args: { foo: 'bar' },
    });
    expect(await slack.api('api.test', { error: 'my_error' })).toMatchObject({
      ok: false,
      error: 'my_error',
    });
  });
});
