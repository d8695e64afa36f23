import { type Dispatcher, request } from 'undici';
import { z } from 'zod';

import type { SlackCall } from './slack-call.ts';
import { connectionError, SlackError } from './slack-error.ts';
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
  await send(place.upload_url, bytes, dispatcher, timeoutMs);
  await call(
    'files.completeUploadExternal',
    { files: [{ id: place.file_id, title }], channel_id: channel },
    z.object({ ok: z.literal(true) }),
  );
}

async function send(url: string, body: Buffer, dispatcher: Dispatcher, timeoutMs: number): Promise<void> {
  try {
    const reply = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await reply.body.dump();
    if (reply.statusCode === 200) return;
    throw new SlackError('file upload', `http_${reply.statusCode}`, {
      retryable: reply.statusCode >= 500,
      sent: false,
    });
  } catch (error) {
    throw error instanceof SlackError ? error : connectionError('file upload', error);
  }
}
