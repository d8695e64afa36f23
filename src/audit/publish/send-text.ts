import type { IncomingHttpHeaders } from 'node:http';

import { request } from 'undici';

import { dispatcherFor } from '../../slack/web-api/lanes.ts';

/** Nobody waits for longer, and nobody else has to. */
const timeoutMs = 10_000;
const longestAnswer = 64_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What arrived of it in time, at most 64 kB. */
  readonly text: string;
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the wait; left out: after 10 s. */
  readonly signal?: AbortSignal;
}

/**
 * Sends text to an address and reads the beginning of the answer; follows no redirection. `HTTPS_PROXY` and `NO_PROXY` hold.
 * @throws Error where there is no answer in time
 */
export async function sendText(
  method: 'POST' | 'PUT',
  url: string,
  body: string,
  { headers, signal = AbortSignal.timeout(timeoutMs) }: Options = {},
): Promise<Answer> {
  const dispatcher = dispatcherFor(url);
  try {
    const reply = await request(url, {
      dispatcher,
      method,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'bellhop', ...headers },
      body,
      signal,
    });
    return { status: reply.statusCode, headers: reply.headers, text: await readStart(reply.body) };
  } finally {
    await dispatcher.destroy();
  }
}

/** Its status has arrived: what else of it does not is left out. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= longestAnswer) break;
    }
  } catch {
    // Broken off, too late or too long.
  }
  return Buffer.concat(chunks).toString('utf8', 0, longestAnswer);
}
