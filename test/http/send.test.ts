import type { RequestListener } from 'node:http';

import { expect, it, onTestFinished } from 'vitest';

import { sendOnce, type SendOptions } from '../../src/http/send.ts';
import { serve } from '../serve.ts';

async function ask(answer: RequestListener, options: SendOptions = {}) {
  const { url, close } = await serve(answer);
  onTestFinished(close);
  const attempt = await sendOnce(`${url}/there?x=1`, options);
  return attempt.kind === 'answer' ? { ...attempt, body: attempt.body.toString() } : attempt;
}

const endless: RequestListener = (_, response) => void response.write('x'.repeat(1_000));
const broken: RequestListener = (_, response) =>
  void response.writeHead(409, { 'content-length': 100 }).write('12', () => response.destroy());
const large: RequestListener = (_, response) => void response.end('x'.repeat(1_001));
const silent: RequestListener = () => undefined;

it('the sender of a request sends what it is given, and follows no redirect', async () => {
  const seen: unknown[] = [];
  const answer: RequestListener = ({ method, url, headers }, response) => {
    seen.push([method, url, headers['user-agent'], headers['x-key']]);
    response.writeHead(307, { location: '/elsewhere' }).end('not here');
  };
  const put = { method: 'PUT', body: 'text', headers: { 'x-key': '1' } } as const;
  expect(await ask(answer, put)).toMatchObject({ kind: 'answer', status: 307, body: 'not here' });
  expect(seen).toEqual([['PUT', '/there?x=1', 'bellhop', '1']]);
});

it('the sender of a request reads no more of an answer than is enough, and is content with less if the rest does not come', async () => {
  expect(await ask(endless, { enough: 10 })).toMatchObject({ kind: 'answer', body: 'x'.repeat(10) });
  expect(await ask(broken, { enough: 10 })).toMatchObject({ kind: 'answer', status: 409 });
  expect(await ask(broken)).toMatchObject({ kind: 'no-response', sent: true, status: 409 });
});

it('the sender of a request says that an answer is too large, comes too late, or that nothing was sent', async () => {
  expect(await ask(large, { largest: 1_000 })).toMatchObject({ kind: 'no-response', reason: 'too-large' });
  expect(await ask(silent, { timeoutMs: 50 })).toMatchObject({ reason: 'deadline', sent: true });
  expect(await ask(silent, { signal: AbortSignal.abort() })).toMatchObject({
    reason: 'cancelled',
    sent: false,
  });
  expect(await sendOnce('http://127.0.0.1:1/', {})).toMatchObject({ sent: false, code: 'ECONNREFUSED' });
});
