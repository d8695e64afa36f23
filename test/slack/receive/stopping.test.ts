import { type IncomingMessage, request as open } from 'node:http';

import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import * as samples from './payload-samples.ts';
import { receivingApp, type ReceivingApp, signedHeaders } from './receiving-app.ts';

let bot: ReceivingApp;
beforeEach(async () => {
  bot = await receivingApp();
});
afterEach(() => bot.receiver.close());

const body = samples.commandBody();

describe('stopping', () => {
  test('rejects payloads and says when to try again, while health continues until close', async () => {
    await bot.receiver.stop();
    const reply = await bot.post(body);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect((await request(`${bot.url}/healthz`)).statusCode).toBe(200);
    await bot.receiver.close();
    await expect(request(`${bot.url}/healthz`)).rejects.toThrow(/ECONNREFUSED|closed/u);
  });

  test('rejects a payload whose body arrives after the stop began', async () => {
    let handled = 0;
    bot.app.command('/cloud', async () => void (handled += 1));
    const sending = open(`${bot.url}/slack/events`, {
      method: 'POST',
      headers: {
        ...signedHeaders(body, bot.clock.now()),
        'content-type': 'application/x-www-form-urlencoded',
        expect: '100-continue',
      },
    });
    const answer = new Promise<IncomingMessage>((resolve) => sending.once('response', resolve));
    // Its headers were accepted.
    await new Promise<void>((resolve) => sending.once('continue', resolve).flushHeaders());
    await bot.receiver.stop();
    sending.end(body);
    expect((await answer).statusCode).toBe(503);
    expect([await bot.drained(), handled]).toEqual([true, 0]);
  });

  test('lets what was acknowledged run to its end', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const done: string[] = [];
    bot.app.command('/cloud', async () => {
      await held;
      done.push('done');
    });
    await bot.post(body);
    await bot.receiver.stop();
    const drained = bot.drained();
    release();
    expect([await drained, done]).toEqual([true, ['done']]);
  });
});
