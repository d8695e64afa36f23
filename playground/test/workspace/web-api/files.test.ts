import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { APP_TOKEN, BOT_TOKEN, MANIFEST, messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
let client: WebClient;
beforeEach(async () => {
  slack = await openSlack();
  client = new WebClient(BOT_TOKEN, { slackApiUrl: `${slack.workspace.url}/api/` });
});
afterEach(() => slack.close());

const announce = (length: number) => client.files.getUploadURLExternal({ filename: 'chart.png', length });

describe('a file that the app sends', () => {
  it('goes up in three steps by Slack’s own client, and is shown with its message', async () => {
    await client.filesUploadV2({
      channel_id: 'C0OPS',
      filename: 'usage.csv',
      file: Buffer.from('a,b\n1,2\n'),
      title: 'Usage',
      initial_comment: 'Here',
    });
    const [message] = await messagesOf(slack, 'C0OPS');
    expect(message).toMatchObject({
      text: 'Here',
      files: [{ name: 'usage.csv', title: 'Usage', mimetype: 'text/csv', size: 8 }],
    });
    const file = await request(slack.workspace.url + String(message?.files[0]?.url));
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(await file.body.text()).toBe('a,b\n1,2\n');
  });

  it('is ready only a moment after it was completed', async () => {
    const { file_id = '', upload_url = '' } = await announce(3);
    expect((await request(upload_url, { method: 'POST', body: 'png' })).statusCode).toBe(200);
    await client.files.completeUploadExternal({ files: [{ id: file_id }] });
    expect(await client.files.info({ file: file_id })).toMatchObject({ file: { id: file_id, mimetype: '' } });
    slack.advance(500);
    expect(await client.files.info({ file: file_id })).toMatchObject({ file: { mimetype: 'image/png' } });
    const blocks = [{ type: 'image', alt_text: 'chart', slack_file: { id: file_id } }];
    expect(await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x', blocks })).toMatchObject({
      ok: true,
    });
  });

  it('is refused when it is not as long as announced, and when it is sent twice', async () => {
    const { upload_url = '' } = await announce(3);
    expect((await request(upload_url, { method: 'POST', body: 'longer' })).statusCode).toBe(400);
    expect((await request(upload_url, { method: 'POST', body: 'png' })).statusCode).toBe(200);
    expect((await request(upload_url, { method: 'POST', body: 'png' })).statusCode).toBe(404);
  });

  it('cannot be completed before it was sent', async () => {
    const { file_id } = await announce(3);
    expect(await slack.api('files.completeUploadExternal', { files: [{ id: file_id }] })).toMatchObject({
      error: 'file_not_found',
    });
  });

  it('is refused in a channel that the app is not in, though it may write there', async () => {
    await slack.close();
    slack = await openSlack({
      manifest: {
        ...MANIFEST,
        oauth_config: { scopes: { bot: ['chat:write', 'chat:write.public', 'files:write', 'files:read'] } },
      },
    });
    client = new WebClient(BOT_TOKEN, { slackApiUrl: `${slack.workspace.url}/api/` });
    const { file_id = '', upload_url = '' } = await announce(3);
    await request(upload_url, { method: 'POST', body: 'png' });
    const files = [{ id: file_id }];
    expect(await slack.api('files.completeUploadExternal', { files, channel_id: 'C0INC42' })).toMatchObject({
      ok: false,
      error: 'not_in_channel',
    });
    expect(await slack.api('chat.postMessage', { channel: 'C0INC42', text: 'x' })).toMatchObject({
      ok: true,
    });
    expect(await slack.api('files.completeUploadExternal', { files, channel_id: 'C0OPS' })).toMatchObject({
      ok: true,
    });
  });

  it('is unknown otherwise', async () => {
    expect(await slack.api('files.info', { file: 'F0NONE' })).toMatchObject({ error: 'file_not_found' });
  });
});

async function completed(): Promise<string> {
  const { file_id = '', upload_url = '' } = await announce(3);
  await request(upload_url, { method: 'POST', body: 'png' });
  await client.files.completeUploadExternal({ files: [{ id: file_id }] });
  return file_id;
}
const fetchAs = (url: string, token: string) =>
  request(url, { headers: token === '' ? {} : { authorization: `Bearer ${token}` } });

describe('url_private of a file', () => {
  it('answers to the token of the app, and leads everyone else to where they sign in', async () => {
    const { file } = await client.files.info({ file: await completed() });
    for (const url of [file?.url_private ?? '', file?.url_private_download ?? '']) {
      for (const token of ['', 'xoxb-of-another', APP_TOKEN]) {
        const refused = await fetchAs(url, token);
        expect(refused.statusCode).toBe(302);
        expect(refused.headers.location).toMatch(/^\/\?redir=%2Ffiles-pri%2F/);
      }
      const taken = await fetchAs(url, BOT_TOKEN);
      expect([taken.statusCode, await taken.body.text()]).toEqual([200, 'png']);
    }
  });

  it('needs files:read', async () => {
    const id = await completed();
    const manifest = { ...MANIFEST, oauth_config: { scopes: { bot: ['files:write'] } } };
    const other = await openSlack({ manifest });
    const url = `${other.workspace.url}/files-pri/T0LOCAL-${id}/chart.png`;
    expect((await fetchAs(url, BOT_TOKEN)).statusCode).toBe(302);
    await other.close();
  });

  it('names the picture of a block', async () => {
    const { file } = await client.files.info({ file: await completed() });
    for (const url of [file?.url_private, file?.permalink]) {
      const blocks = [{ type: 'image', alt_text: 'chart', slack_file: { url } }];
      expect(await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x', blocks })).toMatchObject({
        ok: true,
      });
    }
  });
});

const plain = (text: string) => ({ type: 'plain_text', text });

describe('a file that a person picks in a form', () => {
  it('reaches the app as a file object that can be fetched', async () => {
    const uploaded = await slack.gesture('upload', {
      name: 'key.txt',
      mimetype: 'text/plain',
      content_base64: Buffer.from('hello').toString('base64'),
    });
    await slack.gesture('send', { text: '/cloud form', channel: 'C0OPS' });
    const view = {
      type: 'modal',
      title: plain('File'),
      submit: plain('Send'),
      blocks: [
        {
          type: 'input',
          block_id: 'f',
          label: plain('File'),
          element: { type: 'file_input', action_id: 'a' },
        },
      ],
    };
    const opened = await slack.api('views.open', {
      trigger_id: slack.app.received[0]?.payload.trigger_id,
      view,
    });
    const values = { f: { a: { type: 'file_input', files: [uploaded['file']] } } };
    await slack.gesture('submit', { view_id: opened.view?.id, values });
    const submission = await until(() =>
      slack.app.received.find(({ payload }) => payload.type === 'view_submission'),
    );
    expect(submission.payload).toMatchObject({
      view: {
        state: {
          values: {
            f: { a: { type: 'file_input', files: [{ name: 'key.txt', size: 5, user: 'U0ALICE' }] } },
          },
        },
      },
    });
  });
});
