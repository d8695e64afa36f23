import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import * as samples from './payload-samples.ts';
import { receivingApp, type ReceivingApp, sign, signedHeaders } from './receiving-app.ts';

let bot: ReceivingApp;
beforeEach(async () => {
  bot = await receivingApp();
});
afterEach(() => bot.receiver.close());

const body = samples.commandBody();
const seconds = (offset: number): string => String(Math.floor(bot.clock.now() / 1000) + offset);
const stamped = (timestamp: string): Record<string, string> => ({
  'x-slack-request-timestamp': timestamp,
  'x-slack-signature': sign(body, timestamp),
});

describe('the signature', () => {
  test.each<[string, number, () => Record<string, string>]>([
    ['right and fresh', 200, () => stamped(seconds(0))],
    ['right and 5 minutes old', 200, () => stamped(seconds(-300))],
    ['right and 5 minutes early', 200, () => stamped(seconds(300))],
    ['right and older', 401, () => stamped(seconds(-301))],
    ['right and from the future', 401, () => stamped(seconds(301))],
    ['from an hour ahead', 401, () => stamped(seconds(3_600))],
    [
      'of another secret',
      401,
      () => ({ ...stamped(seconds(0)), 'x-slack-signature': sign(body, seconds(0), 'x') }),
    ],
    ['of another body', 401, () => ({ ...stamped(seconds(0)), 'x-slack-signature': sign('{}', seconds(0)) })],
    ['of another time', 401, () => ({ ...stamped(seconds(0)), 'x-slack-request-timestamp': seconds(1) })],
    ['missing', 401, () => ({ 'x-slack-request-timestamp': seconds(0) })],
    ['without a time', 401, () => ({ 'x-slack-signature': sign(body, '') })],
    ['with a time that is not a number', 401, () => stamped(`${seconds(0)}.0`)],
    ['with a time like 1e9', 401, () => stamped('17637e5')],
    ['with a signed time', 401, () => stamped(`+${seconds(0)}`)],
    ['with a negative time', 401, () => stamped(`-${seconds(0)}`)],
    ['with an empty time', 401, () => stamped('')],
    [
      'of version v1',
      401,
      () => ({ ...stamped(seconds(0)), 'x-slack-signature': sign(body, seconds(0)).replace('v0', 'v1') }),
    ],
    [
      'cut short',
      401,
      () => ({ ...stamped(seconds(0)), 'x-slack-signature': sign(body, seconds(0)).slice(0, 40) }),
    ],
    [
      'in capitals',
      401,
      () => ({ ...stamped(seconds(0)), 'x-slack-signature': sign(body, seconds(0)).toUpperCase() }),
    ],
    ['empty', 401, () => ({ ...stamped(seconds(0)), 'x-slack-signature': '' })],
  ])('%s: %i', async (_, status, headers) => {
    expect((await bot.post(body, headers())).status).toBe(status);
  });

  test('looks old to a clock that is known to be wrong: another replica is to try, and the secret is not blamed', async () => {
    const verdicts: string[] = [];
    let isRight = false;
    const onSignature = ({ verdict }: { readonly verdict: string }) => void verdicts.push(verdict);
    const wrong = await receivingApp({ clockIsRight: () => isRight, onSignature });
    const reply = await wrong.post(body, stamped(seconds(-3600)));
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(verdicts).toEqual([]);
    expect(
      (await wrong.post(body, { ...stamped(seconds(0)), 'x-slack-signature': sign('{}', seconds(0)) }))
        .status,
    ).toBe(401);
    isRight = true;
    expect((await wrong.post(body, stamped(seconds(-3600)))).status).toBe(401);
    expect(verdicts).toEqual(['wrong', 'wrong time']);
    await wrong.receiver.close();
  });

  test.each([
    ['ssl_check', 'ssl_check=1&token=x', 'application/x-www-form-urlencoded'],
    ['url_verification', '{"type":"url_verification","challenge":"c"}', 'application/json'],
  ])('is required for %s too', async (_, unsigned, type) => {
    const reply = await bot.post(unsigned, { 'content-type': type });
    expect(reply.status).toBe(401);
    expect(reply.text).not.toContain('challenge');
  });

  test('signed, the challenge is answered and the check is well', async () => {
    const challenge = '{"type":"url_verification","challenge":"c-1"}';
    const headers = { ...signedHeaders(challenge, bot.clock.now()), 'content-type': 'application/json' };
    expect((await bot.post(challenge, headers)).text).toBe('{"challenge":"c-1"}');
    expect((await bot.post('ssl_check=1')).status).toBe(200);
  });
});

describe('the acknowledgement', () => {
  test('of a command does not wait for its listener', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bot.app.command('/cloud', async ({ command, ack }) => {
      await ack();
      resolve(command.text);
      await held;
    });
    const reply = await bot.post(body);
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(await promise).toBe('reboot web-1');
    release();
  });

  test.each([
    ['command', body],
    ['block_actions', samples.interactionBody(samples.click)],
    ['message_action', samples.interactionBody(samples.shortcut)],
  ])('of %s is an empty 200 even if no one listens', async (kind, sent) => {
    const reply = await bot.post(sent);
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(bot.answers).toEqual([`${kind} 200`]);
  });

  test('of a listener that throws is given all the same, and the log has no body', async () => {
    bot.app.command('/cloud', () => Promise.reject(new Error('broken')));
    const secret = samples.commandBody({ ...samples.command, text: 'hunter2' });
    expect((await bot.post(secret)).status).toBe(200);
    await bot.drained();
    // Unlike JSON, this shows all of an error.
    const logged = inspect(bot.log.lines, { depth: Infinity });
    expect(logged).toContain('broken');
    expect(logged).not.toContain('hunter2');
  });

  test('of an event drops nothing for its retry headers', async () => {
    const seen: string[] = [];
    bot.app.event('app_home_opened', ({ event }) => {
      seen.push(event.type);
      return Promise.resolve();
    });
    const sent = JSON.stringify(samples.event);
    const reply = await bot.post(sent, {
      ...signedHeaders(sent, bot.clock.now()),
      'content-type': 'application/json',
      'x-slack-retry-num': '2',
      'x-slack-retry-reason': 'http_timeout',
    });
    await bot.drained();
    expect([reply.status, seen]).toEqual([200, ['app_home_opened']]);
  });

  test('of a form is what its listener says', async () => {
    bot.app.view('ask', async ({ ack }) =>
      ack({ response_action: 'errors', errors: { name: 'No such instance' } }),
    );
    const reply = await bot.post(samples.interactionBody(samples.submission));
    expect(JSON.parse(reply.text)).toEqual({
      response_action: 'errors',
      errors: { name: 'No such instance' },
    });
  });

  test.each<[string, () => void]>([
    ['no one listens', () => undefined],
    ['its listener throws', () => bot.app.view('ask', () => Promise.reject(new Error('broken')))],
    ['its listener forgets to answer', () => bot.app.view('ask', () => Promise.resolve())],
  ])('of a form keeps it open where %s', async (_, listen) => {
    listen();
    const reply = await bot.post(samples.interactionBody(samples.submission));
    expect(JSON.parse(reply.text)).toMatchObject({
      response_action: 'errors',
      errors: { name: /Look at the channel/u },
    });
  });

  test('of a form whose listener is slow comes before Slack gives up, and a late one changes nothing', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    bot.app.view('ask', async ({ ack }) => {
      begin();
      await held;
      await ack();
    });
    const reply = bot.post(samples.interactionBody(samples.submission));
    await begun;
    await bot.clock.advance(2_700);
    expect((await reply).text).toContain('"response_action":"errors"');
    release();
    expect(await bot.drained()).toBe(true);
    expect(bot.answers).toEqual(['view_submission 200']);
  });

  test('of typing is options, or none if no one has any', async () => {
    const sent = samples.interactionBody(samples.suggestion);
    expect((await bot.post(sent)).text).toBe('{"options":[]}');
    const options = [{ text: { type: 'plain_text' as const, text: 'web-1' }, value: 'web-1' }];
    bot.app.options('value', async ({ ack }) => ack({ options }));
    expect(JSON.parse((await bot.post(sent)).text)).toEqual({ options });
  });
});

const tooLong = { values: { name: { value: { type: 'plain_text_input', value: 'x'.repeat(3_001) } } } };
const longForm = { ...samples.submission, view: { ...samples.submission.view, state: tooLong } };

describe('a body', () => {
  test.each([
    ['of a type nothing here uses', 200, interaction({ type: 'shortcut', user: { id: 'U0' } })],
    ['without a type', 400, interaction({})],
    ['that is not JSON', 400, 'payload=%7Bnot'],
    ['that is nothing', 400, ''],
    ['that is a list', 400, interaction([])],
    ['with an invalid command', 400, samples.commandBody({ ...samples.command, command: 'cloud' })],
    ['with a click that clicks nothing', 400, interaction({ ...samples.click, actions: [] })],
    ['with a click by no one', 400, interaction({ ...samples.click, user: undefined })],
    ['with a form without a view', 400, interaction({ ...samples.submission, view: null })],
    ['with a form longer than anyone can enter', 400, interaction(longForm)],
    ['that repeats its payload', 400, 'payload={}&payload={}'],
  ])('%s: %i', async (_, status, sent) => {
    expect((await bot.post(sent)).status).toBe(status);
  });

  test('with fields that no schema knows reaches the listener with them', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    bot.app.action('confirm', ({ body: received }) => {
      resolve(received);
      return Promise.resolve();
    });
    await bot.post(interaction({ ...samples.click, brand_new: { deep: 1 } }));
    expect(await promise).toMatchObject({ brand_new: { deep: 1 }, channel: { name: 'ops' } });
  });

  const large = Buffer.alloc(1024 * 1024 + 1, 'x');
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < large.length; at += 65_536) {
      yield large.subarray(at, at + 65_536);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  test.each([
    ['announced', () => large],
    ['sent in pieces', () => Readable.from(pieces())],
  ])('over 1 MiB, %s: 413', async (_, sent) => {
    const headers = signedHeaders(large, bot.clock.now());
    const outcome = await request(`${bot.url}/slack/events`, { method: 'POST', headers, body: sent() }).then(
      ({ statusCode }) => statusCode,
      String,
    );
    // The connection may be closed while the rest is still being written.
    expect(String(outcome)).toMatch(/413|EPIPE|ECONNRESET|other side closed/u);
    expect(bot.answers).toEqual(['too large 413']);
  });

  test('of exactly 1 MiB is read', async () => {
    expect((await bot.post(Buffer.alloc(1024 * 1024, 'x'))).status).toBe(400);
  });

  test('that trickles is rejected', async () => {
    await bot.receiver.close();
    bot = await receivingApp({ limits: { arrivalMs: 200 } });
    const headers = Object.entries({
      ...signedHeaders(body, bot.clock.now()),
      'content-length': '500',
      host: 'bot',
    });
    const socket = connect(bot.port, '127.0.0.1');
    socket.write(
      `POST /slack/events HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\nte`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array));
    expect(Buffer.concat(chunks).toString()).toContain('408 Request Timeout');
  });
});

describe('the other routes', () => {
  test.each([
    ['GET', '/healthz', 200, 'ok'],
    ['HEAD', '/healthz', 200, ''],
    ['GET', '/healthz?deep=1', 200, 'ok'],
    ['POST', '/healthz', 405, 'Method not allowed'],
    ['GET', '/readyz', 500, 'Internal error'],
    ['GET', '/slack/events', 405, 'Method not allowed'],
    ['PUT', '/slack/events', 405, 'Method not allowed'],
    ['GET', '/', 404, 'Not found'],
    ['POST', '/slack/events/', 404, 'Not found'],
    ['GET', '/constructor', 404, 'Not found'],
  ] as const)('%s %s: %i', async (method, path, status, text) => {
    const reply = await request(bot.url + path, { method });
    expect([reply.statusCode, await reply.body.text()]).toEqual([status, text]);
  });
});

function interaction(payload: object): string {
  return samples.interactionBody(payload);
}
