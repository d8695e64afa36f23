import type { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';

type FetchFunction = webApi.FetchFunction;
type FetchResponse = Awaited<ReturnType<FetchFunction>>;

/** The part of WHATWG fetch that Slack's client uses, on undici's `request`, whose errors tell what happened. */
export const slackFetch =
  (dispatcher: Dispatcher): FetchFunction =>
  async (url, init = {}) => {
    const { method = 'GET', headers, body, signal } = init;
    if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent this way');
    const reply = await request(url, {
      dispatcher,
      method: method === 'POST' ? 'POST' : 'GET',
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return asFetchResponse(String(url), reply);
  };

function asFetchResponse(
  url: string,
  { statusCode, headers, body }: Awaited<ReturnType<typeof request>>,
): FetchResponse {
  const flat = new Map(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
  // A 429 that does not say until when would be an error of no kind.
  if (statusCode === 429 && !/^\d+$/u.test(flat.get('retry-after') ?? '')) flat.set('retry-after', '1');
  return {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: '',
    url,
    headers: { get: (name) => flat.get(name.toLowerCase()) ?? null, entries: () => flat.entries() },
    arrayBuffer: () => body.arrayBuffer(),
    json: () => body.json(),
    text: () => body.text(),
  };
}
