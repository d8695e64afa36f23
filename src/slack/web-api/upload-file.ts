import type { Dispatcher } from 'undici';
import { z } from 'zod';

import { send } from '../../http/send.ts';
import type { SlackCall } from './slack-call.ts';
import { noAnswer, SlackError } from './slack-error.ts';
import { isSlackAddress } from './slack-hosts.ts';

export interface UploadPorts {
  readonly call: SlackCall;
  readonly slackApiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
}

interface UploadedFile {
  readonly name: string;
  readonly content: string;
  readonly title: string;
}

const uploadUrl = z.object({ upload_url: z.url(), file_id: z.string() });

/** Uploads a file in Slack's three steps: ask where to, send the bytes, share it in the channel. @throws SlackError */
export async function uploadFile(
  { call, slackApiUrl, dispatcher, timeoutMs }: UploadPorts,
  channel: string,
  { name, content, title }: UploadedFile,
): Promise<void> {
  const bytes = Buffer.from(content, 'utf8');
  const place = await call('files.getUploadURLExternal', { filename: name, length: bytes.length }, uploadUrl);
  if (!isSlackAddress(place.upload_url, slackApiUrl)) {
    throw new SlackError('file upload', 'refused_url', { retryable: false, sent: false });
  }
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = await send(place.upload_url, { dispatcher, method: 'POST', headers, body: bytes, timeoutMs });
  if (sent.kind === 'no-response') throw noAnswer('file upload', sent);
  const { status } = sent;
  if (status !== 200)
    throw new SlackError('file upload', `http_${status}`, { retryable: status >= 500, sent: false });
  await call(
    'files.completeUploadExternal',
    { files: [{ id: place.file_id, title }], channel_id: channel },
    z.object({ ok: z.literal(true) }),
  );
}
