import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

import { isLoopback } from '../model/host.ts';
import { ScheduleError } from './shift.ts';
import type { z } from 'zod';

/** Gets the body of a 200. Redirects are not followed: they would take a token elsewhere. @throws ScheduleError */
export type Fetch = (url: URL, headers: Readonly<Record<string, string>>) => Promise<string>;

/** Connections to whatever is asked. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` hold, but not on the way to this machine itself. */
export function createFetch(): { within(signal: AbortSignal): Fetch; close(): Promise<void> } {
  const direct = new Agent();
  const proxied = new EnvHttpProxyAgent();
  return {
    within: (signal) => (url, headers) => {
      const dispatcher = isLoopback(url.hostname) ? direct : proxied;
      return fetchAnswer(url, { signal, headers, dispatcher });
    },
    async close() {
      await Promise.all([direct.destroy(), proxied.destroy()]);
    },
  };
}

interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function fetchAnswer(url: URL, { headers, ...options }: FetchOptions): Promise<string> {
  try {
    const sent = { 'user-agent': 'bellhop', ...headers };
    const { statusCode, body } = await request(url, { ...options, headers: sent });
    if (statusCode === 200) return await readBounded(body);
    // It is not read: an error of the connection that is torn down is nobody's.
    body.on('error', () => undefined).destroy();
    throw new ScheduleError(refusal(statusCode));
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code).slice(0, 40)})` : '';
    throw new ScheduleError(`cannot be reached${code}`, { cause: error });
  }
}

const largestAnswer = 2 * 1024 * 1024;

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestAnswer) throw new ScheduleError('answered with more than 2 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}, a redirect, which is not followed`;
  return [401, 403].includes(status)
    ? `answered ${status}: its token or address is not accepted`
    : `answered ${status}`;
}

/** What an answer says. @throws ScheduleError where it is not as it should be */
export function readJson<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new ScheduleError('answered with something that cannot be read', { cause: error });
  }
}
