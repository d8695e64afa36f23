import { request } from 'undici';

import { dispatcherFor } from '../../slack/web-api/lanes.ts';

/** Nobody waits for longer, and nobody else has to. */
const timeoutMs = 10_000;
const longestAnswer = 64_000;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends text to an address and reads the short answer; follows no redirection. `HTTPS_PROXY` and `NO_PROXY` hold.
 * @throws Error where there is no answer within 10 s, or an endless one
 */
export async function sendText(method: 'POST' | 'PUT', url: string, body: string): Promise<Answer> {
  const dispatcher = dispatcherFor(url);
  try {
    const reply = await request(url, {
      dispatcher,
      method,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await reply.body.text();
    if (text.length > longestAnswer) throw new Error(`${new URL(url).host} answered with too much text`);
    return { status: reply.statusCode, text };
  } finally {
    await dispatcher.destroy();
  }
}
