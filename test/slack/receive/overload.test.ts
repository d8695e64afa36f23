import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import * as samples from './payload-samples.ts';
import { receivingApp, type ReceivingApp, signedHeaders } from './receiving-app.ts';

const roomForBodies = 256 * 1024;

let bot: ReceivingApp;
let begun: string[];
let release: () => void;
beforeEach(async () => {
  bot = await receivingApp({ limits: { inFlight: 2, allBodies: roomForBodies } });
  begun = [];
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  const work = (kind: string) => (): Promise<void> => {
    begun.push(kind);
    return held.promise;
  };
  bot.app.command(/^\//u, work('command'));
  bot.app.action(/^/u, work('click'));
  bot.app.view(/^/u, work('form'));
  bot.app.options(/^/u, work('typing'));
  bot.app.event('app_home_opened', work('event'));
});
afterEach(() => bot.receiver.close());

const json = { 'content-type': 'application/json' };
const event = JSON.stringify(samples.event);
const withoutFields = { ...samples.submission, view: { ...samples.submission.view, blocks: [] } };

describe('with as much in hand as there is room for', () => {
  beforeEach(async () => {
    await bot.post(samples.commandBody());
    await bot.post(samples.commandBody());
  });

  test.each<[string, string, RegExp]>([
    [
      'a command',
      samples.commandBody(),
      /^\{"response_type":"ephemeral","text":"Bellhop is overloaded\. Nothing was done\. Try again/u,
    ],
    [
      'a form',
      samples.interactionBody(samples.submission),
      /^\{"response_action":"errors","errors":\{"name":"Bellhop is overloaded\. Nothing was done\. Try again/u,
    ],
    ['typing', samples.interactionBody(samples.suggestion), /^\{"options":\[\]\}$/u],
  ])('%s gets that as the answer, and nothing is started', async (_, sent, says) => {
    const reply = await bot.post(sent);
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(says);
    release();
    expect(await bot.drained()).toBe(true);
    expect(begun).toHaveLength(2);
    expect(bot.answers.at(-1)).toBe('busy 200');
  });

  test.each<[string, string, Record<string, string>]>([
    ['a click, which Slack then marks as failed', samples.interactionBody(samples.click), {}],
    ['a form without a field to say it beside', samples.interactionBody(withoutFields), {}],
    ['an event, which then comes again', event, json],
  ])('%s is not accepted, so that another replica may take it', async (_, sent, headers) => {
    const reply = await bot.post(sent, { ...formHeaders, ...signed(sent), ...headers });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    release();
    expect(await bot.drained()).toBe(true);
    expect(begun).toHaveLength(2);
    expect(bot.answers.at(-1)).toBe('busy 503');
  });

  test('there is room again as soon as some of it ends', async () => {
    release();
    expect(await bot.drained()).toBe(true);
    expect((await bot.post(samples.interactionBody(samples.click))).status).toBe(200);
    expect(await bot.drained()).toBe(true);
    expect(begun).toEqual(['command', 'command', 'click']);
  });
});

describe('while bodies that do not end fill the room for them', () => {
  const announced = 200 * 1024;
  const slow = (): Promise<() => void> =>
    new Promise((resolve) => {
      const socket = connect(bot.port, '127.0.0.1');
      const headers = { ...signed('x'), host: 'bot', 'content-length': String(announced) };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const all = `POST /slack/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${'x'.repeat(announced - 1)}`;
      socket.on('error', () => undefined);
      socket.write(all, () => resolve(() => socket.destroy()));
    });
  const large = samples.interactionBody({ ...samples.click, more: 'x'.repeat(100 * 1024) });

  test('a large one is not accepted, a payload of usual size is, and there is room again afterwards', async () => {
    const cut = await Promise.all([slow(), slow()]);
    await expect.poll(async () => (await bot.post(large)).status).toBe(503);
    expect((await bot.post(samples.interactionBody(samples.click))).status).toBe(200);
    for (const one of cut) one();
    await expect.poll(async () => (await bot.post(large)).status).toBe(200);
    release();
    expect(await bot.drained()).toBe(true);
  });
});

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
const signed = (body: string): Record<string, string> => signedHeaders(body, bot.clock.now());
