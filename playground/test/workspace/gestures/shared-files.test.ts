import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventsHeard } from '../events.ts';
import { BOT_TOKEN, messagesOf, openSlack, type LocalSlack, withEvents } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack({ manifest: withEvents(['message.channels']) });
});
afterEach(() => slack.close());

const uploadedSchema = z.looseObject({ id: z.string() });
async function upload(name = 'trace.log'): Promise<string> {
  const content_base64 = Buffer.from('lines').toString('base64');
  const uploaded = await slack.gesture('upload', { name, mimetype: 'text/plain', content_base64 });
  return uploadedSchema.parse(uploaded['file']).id;
}
const share = (body: Record<string, unknown>) =>
  slack.gesture('send', { channel: 'C0OPS', text: '', ...body });

const sharedSchema = z.looseObject({ files: z.array(z.looseObject({ url_private: z.string() })) });

describe('a file that a person shares', () => {
  it('is a message with the file, and file_share to the app, which fetches it by its token', async () => {
    const id = await upload();
    expect(await share({ files: [id] })).toEqual({ ok: true });
    expect(await messagesOf(slack, 'C0OPS', 'U0BOB')).toMatchObject([
      { user: 'U0ALICE', text: '', files: [{ id, name: 'trace.log' }] },
    ]);
    const [event] = await eventsHeard(slack, 'message');
    expect(event).toMatchObject({
      subtype: 'file_share',
      text: '',
      user: 'U0ALICE',
      files: [{ id, user: 'U0ALICE', is_public: true, channels: ['C0OPS'] }],
    });
    expect(event).not.toHaveProperty('blocks');
    const url = sharedSchema.parse(event).files[0]?.url_private ?? '';
    const fetched = await request(url, { headers: { authorization: `Bearer ${BOT_TOKEN}` } });
    expect(await fetched.body.text()).toBe('lines');
    const { messages } = await slack.api('conversations.history', { channel: 'C0OPS' });
    expect(messages).toMatchObject([{ files: [{ id }] }]);
  });

  it('is sent with a text, in a thread, and with other files', async () => {
    await share({ text: 'alert' });
    const ts = (await messagesOf(slack, 'C0OPS'))[0]?.ts;
    const files = [await upload('one.log'), await upload('two.log')];
    expect(await share({ text: 'the logs', thread_ts: ts, files })).toEqual({ ok: true });
    expect((await messagesOf(slack, 'C0OPS')).at(-1)).toMatchObject({
      text: 'the logs',
      thread_ts: ts,
      files: [{ name: 'one.log' }, { name: 'two.log' }],
    });
  });

  it('is one that they uploaded themselves', async () => {
    const id = await upload();
    expect(await share({ files: [id], as: 'U0BOB' })).toMatchObject({ ok: false, error: 'file_not_found' });
    expect(await share({ files: ['F0NONE'] })).toMatchObject({ ok: false, error: 'file_not_found' });
    expect(await share({ files: [] })).toMatchObject({ ok: false, error: 'no_text' });
    expect(await messagesOf(slack, 'C0OPS')).toEqual([]);
  });
});
