import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createResponder, isSlackAddress, type Responder } from '../../../src/slack/web-api/response-url.ts';
import { dispatcherFor } from '../../../src/http/send.ts';
import { type FakeSlack, fakeSlack, hang, refused, reset, status } from '../fake-slack.ts';
import { createDrivenClock } from '../../driven-clock.ts';

const answer = { text: 'Three addresses', blocks: [] };
const taken = status(200, {}, 'ok');

let slack: FakeSlack;
let clock: ReturnType<typeof createDrivenClock>;
let respond: Responder;
let calls: string[];
beforeEach(async () => {
  slack = await fakeSlack();
  clock = createDrivenClock();
  calls = [];
  respond = responder(1_000);
});
afterEach(() => slack.close());

const responder = (timeoutMs: number): Responder =>
  createResponder({
    slackApiUrl: slack.apiUrl,
    dispatcher: dispatcherFor(slack.apiUrl),
    clock,
    timeoutMs,
    afterCall: (method, outcome) => calls.push(`${method} ${outcome}`),
  });

/** Lets time pass whenever the work waits for it. Resolves to the outcome, and to the milliseconds that passed. */
async function whileTimePasses(work: Promise<void>): Promise<{ ended: string; ms: number }> {
  const began = clock.now();
  let ended: string | undefined;
  void work.then(
    () => (ended = 'answered'),
    (error: unknown) => (ended = String(error)),
  );
  await expect
    .poll(
      async () => {
        if (clock.waiting() > 0) await clock.advance(100);
        return ended;
      },
      { interval: 1 },
    )
    .toBeDefined();
  return { ended: ended ?? '', ms: clock.now() - began };
}

describe('a private answer', () => {
  test.each([
    ['fails', status(503, {}, '<html>')],
    ['cuts the connection', reset],
    ['hangs', hang],
  ])('arrives once Slack, which %s at first, takes it', async (_, trouble) => {
    slack.answers = [trouble, trouble, taken];
    const { ended, ms } = await whileTimePasses(respond(`${slack.origin}/1`, answer));
    expect([ended, ms]).toEqual(['answered', 5_000]);
    expect(slack.calls.map(({ fields }) => fields['text'])).toEqual(slack.calls.map(() => 'Three addresses'));
  });

  test('that Slack does not take, though its status says so, comes again', async () => {
    respond = responder(10_000);
    slack.answers = [status(200, {}, '{"ok":false,"error":"internal_error"}'), taken];
    expect(await whileTimePasses(respond(`${slack.origin}/1`, answer))).toEqual({
      ended: 'answered',
      ms: 1_000,
    });
    expect(calls).toEqual(['response_url internal_error', 'response_url ok']);
  });

  test('waits for as long as Slack asks', async () => {
    slack.answers = [status(429, { 'retry-after': '7' }), taken];
    expect(await whileTimePasses(respond(`${slack.origin}/1`, answer))).toEqual({
      ended: 'answered',
      ms: 7_000,
    });
  });

  test('is given up after as many tries as Slack allows', async () => {
    slack.answers = [status(500)];
    const { ended, ms } = await whileTimePasses(respond(`${slack.origin}/1`, answer));
    expect([ended, ms]).toEqual(['SlackError: Slack answered “http_500” to response_url.', 35_000]);
    expect(slack.calls).toHaveLength(5);
  });

  test.each([
    [
      'an address that was used up',
      status(404, {}, 'used_url'),
      'Slack answered “used_url” to response_url.',
    ],
    [
      'a limit of more than a minute',
      status(429, { 'retry-after': '61' }),
      'Slack is rate-limiting Bellhop. Wait a minute.',
    ],
  ])('is not repeated for %s', async (_, refusal, message) => {
    slack.answers = [refusal];
    const { ended, ms } = await whileTimePasses(respond(`${slack.origin}/1`, answer));
    expect([ended, ms]).toEqual([`SlackError: ${message}`, 0]);
    expect(slack.calls).toHaveLength(1);
  });

  test('is not repeated for a reply longer than any of Slack, which is not read', async () => {
    respond = responder(10_000);
    slack.answers = [status(200, {}, 'x'.repeat(9_000_000))];
    const { ended } = await whileTimePasses(respond(`${slack.origin}/1`, answer));
    expect(ended).toBe('SlackError: Slack answered “unreadable_reply” to response_url.');
    expect(slack.calls).toHaveLength(1);
  });

  test('is given up at once where 200 others wait already', async () => {
    slack.answers = [status(500)];
    respond = responder(10_000);
    const all = Array.from({ length: 201 }, () => respond(`${slack.origin}/1`, answer).catch(String));
    expect(await Promise.race(all)).toMatch(/http_500/u);
    await expect.poll(() => clock.waiting()).toBe(200);
    slack.answers = [taken];
    await whileTimePasses(Promise.all(all).then(() => undefined));
    expect(calls.filter((call) => call === 'response_url ok')).toHaveLength(200);
  });
});

describe('a response_url', () => {
  test('gets a private answer', async () => {
    slack.answers = [status(200, {}, 'ok')];
    await respond(`${slack.origin}/1`, { ...answer, replaceOriginal: true });
    expect(slack.calls[0]?.fields).toMatchObject({
      response_type: 'ephemeral',
      replace_original: true,
      text: 'Three addresses',
    });
  });

  test.each(['https://hooks.slack.com/commands/1', 'https://hooks.slack-gov.com/actions/1'])(
    'that is Slack’s is answered: %s',
    (address) => expect(isSlackAddress(address, slack.apiUrl, 'hooks')).toBe(true),
  );

  test.each([
    'http://hooks.slack.com/commands/1',
    'https://hooks.slack-gov.com.evil.example/1',
    'https://files.slack-gov.com/1',
    'https://hooks.slack.com.evil.example/1',
    'https://hooks.slack.com@evil.example/1',
    'https://evil.example/https://hooks.slack.com/',
    'https://hooks.slack.com:8443/1',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:1/',
    'file:///etc/passwd',
    'not a url',
    '',
  ])('that is not Slack’s gets nothing: %s', async (url) => {
    await expect(respond(url, answer)).rejects.toMatchObject({
      slackCode: 'refused_url',
      sent: false,
    });
    expect(slack.calls).toEqual([]);
  });

  test.each([
    [
      status(404, {}, '{"ok":false,"error":"used_url"}'),
      { slackCode: 'used_url', retryable: false, sent: false },
    ],
    [status(404, {}, 'expired_url'), { slackCode: 'expired_url', retryable: false }],
    [status(429, { 'retry-after': '7' }), { slackCode: 'ratelimited', retryAfterSeconds: 7 }],
    [refused('invalid_blocks'), { slackCode: 'invalid_blocks', retryable: false, sent: false }],
    [refused('fatal_error'), { slackCode: 'fatal_error', retryable: true, sent: true }],
    [refused('<html>'), { slackCode: 'unreadable_reply', retryable: false }],
    [status(503, {}, '<html>'), { slackCode: 'http_503', retryable: true, sent: true }],
    [reset, { slackCode: 'connection_lost', sent: true }],
  ])('that fails says how: %#', async (failure, expected) => {
    slack.answers = [failure];
    await expect(respond(`${slack.origin}/1`, { ...answer, once: true })).rejects.toMatchObject(expected);
    expect(slack.calls.length).toBe(1);
  });
});

describe('a file goes to an address of Slack', () => {
  test.each(['https://files.slack.com/upload/1', 'https://files.slack-gov.com/upload/1'])('%s', (address) =>
    expect(isSlackAddress(address, slack.apiUrl)).toBe(true),
  );
});
