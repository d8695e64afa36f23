import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SlackApi } from '../../../src/slack/web-api/slack-api.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { dispatcherFor } from '../../../src/http/send.ts';
import {
  type SlackLanes,
  createLane,
  createRateGate,
  createSlackLanes,
} from '../../../src/slack/web-api/web-client.ts';
import { type FakeSlack, fakeSlack, hang, ok, refused, reset, status, member } from '../fake-slack.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { recordingLog } from '../../log.ts';

const message = { text: 'fallback', blocks: [] };
const card = { channel: 'C0OPS', ts: '1.2' };

let slack: FakeSlack;
let clock: ReturnType<typeof createDrivenClock>;
let calls: string[];
let heardScopes: (string | null)[];
let lanes: SlackLanes;
beforeEach(async () => {
  slack = await fakeSlack();
  clock = createDrivenClock();
  calls = [];
  heardScopes = [];
  lanes = createSlackLanes({
    token: () => 'xoxb-token',
    slackApiUrl: slack.apiUrl,
    clock,
    log: recordingLog(),
    afterCall: (method, outcome) => calls.push(`${method} ${outcome}`),
    scopes: { heard: (scopes) => void heardScopes.push(scopes) },
  });
});
afterEach(async () => {
  await lanes.close();
  await slack.close();
});

const failureOf = async (work: Promise<unknown>): Promise<SlackError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SlackError) return error;
  throw new Error(`expected a SlackError, got ${String(error)}`);
};

/** A lane that waits 1 s: short enough to notice a hanging Slack soon, and long enough on a busy machine. */
function impatient(): SlackApi {
  return createLane({
    token: () => 'xoxb-token',
    slackApiUrl: slack.apiUrl,
    dispatcher: dispatcherFor(slack.apiUrl),
    clock,
    log: recordingLog(),
    gate: createRateGate(clock),
    timeoutMs: 1_000,
    patienceMs: 0,
  });
}

describe('a post', () => {
  test('goes out once, with the token, and asks for no previews and no mentions', async () => {
    slack.answers = [ok({ channel: 'C0OPS', ts: '1.2' })];
    expect(await lanes.background.postMessage('C0OPS', message)).toEqual(card);
    expect(slack.calls).toMatchObject([
      {
        path: '/api/chat.postMessage',
        headers: { authorization: 'Bearer xoxb-token' },
        fields: {
          channel: 'C0OPS',
          text: 'fallback',
          blocks: [],
          unfurl_links: false,
          unfurl_media: false,
          link_names: false,
        },
      },
    ]);
    expect(calls).toEqual(['chat.postMessage ok']);
  });

  test.each<[string, () => void, Partial<SlackError>]>([
    [
      'is answered with a reset',
      () => (slack.answers = [reset]),
      { slackCode: 'connection_lost', sent: true, retryable: true },
    ],
    [
      'is answered with 500',
      () => (slack.answers = [status(500)]),
      { slackCode: 'http_500', sent: true, retryable: true },
    ],
    [
      'is answered with 404',
      () => (slack.answers = [status(404)]),
      { slackCode: 'http_404', sent: false, retryable: false },
    ],
    [
      'is answered with 403, by a firewall',
      () => (slack.answers = [status(403, {}, '<html>Blocked</html>')]),
      {
        slackCode: 'http_403',
        sent: false,
        message:
          "A proxy or firewall in front of Slack answered chat.postMessage with “http_403”. Allow Slack's address there.",
      },
    ],
    [
      'is answered in HTML',
      () => (slack.answers = [status(200, {}, '<html>')]),
      { slackCode: 'unreadable_reply', sent: true },
    ],
    [
      'is answered without a ts',
      () => (slack.answers = [ok({ channel: 'C0OPS' })]),
      { slackCode: 'unreadable_reply', sent: true },
    ],
    [
      'is refused',
      () => (slack.answers = [refused('not_in_channel')]),
      { slackCode: 'not_in_channel', sent: false, retryable: false },
    ],
    [
      'meets an error inside Slack',
      () => (slack.answers = [refused('internal_error')]),
      { slackCode: 'internal_error', sent: true, retryable: true },
    ],
  ])('that %s is not repeated', async (_, arrange, expected) => {
    arrange();
    expect(await failureOf(lanes.background.postMessage('C0OPS', message))).toMatchObject(expected);
    expect(slack.calls.length).toBe(1);
  });

  test('that gets no answer fails in time, as one that may have been sent', async () => {
    slack.answers = [hang];
    expect(await failureOf(impatient().postMessage('C0OPS', message))).toMatchObject({
      slackCode: 'timeout',
      sent: true,
    });
    expect(slack.calls.length).toBe(1);
  });

  test('that finds no one was not sent', async () => {
    await slack.close();
    expect(await failureOf(lanes.background.postMessage('C0OPS', message))).toMatchObject({
      slackCode: 'unreachable',
      sent: false,
    });
  });

  test('whose blocks are refused says which', async () => {
    slack.answers = [
      refused('invalid_blocks', { response_metadata: { messages: ['[ERROR] no [/blocks/0]'] } }),
    ];
    expect(await failureOf(lanes.background.postMessage('C0OPS', message))).toMatchObject({
      slackCode: 'invalid_blocks',
      findings: ['[ERROR] no [/blocks/0]'],
    });
  });
});

describe('an edit', () => {
  test('is repeated once after a lost connection, because twice is the same', async () => {
    slack.answers = [reset, ok()];
    await lanes.background.updateMessage(card, message);
    expect(slack.calls.map(({ path }) => path)).toEqual(['/api/chat.update', '/api/chat.update']);
  });

  test('is not repeated a second time', async () => {
    slack.answers = [reset];
    expect(await failureOf(lanes.background.updateMessage(card, message))).toMatchObject({
      slackCode: 'connection_lost',
    });
    expect(slack.calls.length).toBe(2);
  });
});

describe('a rate limit', () => {
  const limited = status(429, { 'retry-after': '3' });

  test('is kept for the method in that channel alone, by both lanes', async () => {
    slack.answers = [limited, ok({ channel: 'C0', ts: '1' })];
    expect(await failureOf(lanes.background.postMessage('C0OPS', message))).toMatchObject({
      slackCode: 'ratelimited',
      retryAfterSeconds: 3,
      sent: false,
    });
    await lanes.background.postMessage('C0GENERAL', message);
    await lanes.background.updateMessage(card, message);
    expect(slack.calls.length).toBe(3);
    await clock.advance(2_000);
    expect(await failureOf(lanes.background.postMessage('C0OPS', message))).toMatchObject({
      retryAfterSeconds: 1,
    });
    expect(slack.calls.length).toBe(3);
    await clock.advance(1_000);
    await lanes.background.postMessage('C0OPS', message);
    expect(slack.calls.length).toBe(4);
  });

  test('is waited for once where a person waits', async () => {
    slack.answers = [limited, ok()];
    const answered = lanes.answers.postEphemeral('C0OPS', 'U0ALICE', message);
    await expect.poll(() => clock.waiting()).toBe(1);
    await clock.advance(3_000);
    await answered;
    expect(calls).toEqual(['chat.postEphemeral ratelimited', 'chat.postEphemeral ok']);
  });

  test('longer than a person waits is handed on at once', async () => {
    slack.answers = [status(429, { 'retry-after': '60' })];
    expect(await failureOf(lanes.answers.postEphemeral('C0OPS', 'U0ALICE', message))).toMatchObject({
      retryAfterSeconds: 60,
    });
  });

  test('without a time is one second', async () => {
    slack.answers = [status(429)];
    expect(await failureOf(lanes.background.person('U0ALICE'))).toMatchObject({
      slackCode: 'ratelimited',
      retryAfterSeconds: 1,
    });
  });
});

describe('the other methods', () => {
  test('tell who the bot is and what it may', async () => {
    slack.answers = [ok({ team_id: 'T0LOCAL', user_id: 'U0BELLHOP' })];
    expect(await lanes.answers.authTest()).toEqual({
      teamId: 'T0LOCAL',
      botUserId: 'U0BELLHOP',
      ofOrganization: false,
    });
    expect(heardScopes).toEqual(['chat:write, commands']);
  });

  test.each([
    [{ is_restricted: true }, { isGuest: true, isStranger: false }],
    [{ is_ultra_restricted: true }, { isGuest: true }],
    [
      { is_stranger: true, team_id: 'T0OTHER' },
      { isStranger: true, teamId: 'T0OTHER' },
    ],
    [
      { deleted: true, is_bot: true, tz: 'Europe/Luxembourg' },
      { isDeleted: true, isBot: true, timeZone: 'Europe/Luxembourg' },
    ],
    // Slack says that Slackbot is not a bot.
    [{ id: 'USLACKBOT' }, { isBot: true }],
    [{ tz: null }, { isGuest: false, isStranger: false, isBot: false, isDeleted: false, timeZone: 'UTC' }],
  ])('tell a person: %j', async (user, expected) => {
    slack.answers = [ok({ user: { ...member, ...user } })];
    expect(await lanes.answers.person('U0ALICE')).toMatchObject(expected);
  });

  test.each(['team_id', 'deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted'])(
    'name no one without %s: a missing field does not mean no',
    async (name) => {
      slack.answers = [ok({ user: { ...member, [name]: undefined } })];
      expect(await failureOf(lanes.answers.person('U0ALICE'))).toMatchObject({
        slackCode: 'unreadable_reply',
      });
    },
  );

  test.each([
    ['who left', { deleted: true }, { isDeleted: true }],
    ['a stranger', { deleted: false, is_stranger: true }, { isStranger: true }],
  ])('tell of %s with the little that Slack says of them', async (_, user, expected) => {
    slack.answers = [ok({ user: { id: 'U0ALICE', ...user } })];
    expect(await lanes.answers.person('U0ALICE')).toMatchObject(expected);
  });

  test('upload a file in three steps', async () => {
    slack.answers = [
      ok({ upload_url: `${slack.origin}/upload/1`, file_id: 'F1' }),
      status(200, {}, 'OK'),
      ok(),
    ];
    await lanes.answers.uploadFile('C0OPS', { name: 'ips.csv', content: 'a,b\nü', title: 'IPs' });
    expect(slack.calls.map(({ path, fields }) => [path, fields['length'] ?? fields['files']])).toEqual([
      ['/api/files.getUploadURLExternal', 6],
      ['/upload/1', undefined],
      ['/api/files.completeUploadExternal', [{ id: 'F1', title: 'IPs' }]],
    ]);
    expect(slack.calls[1]?.body).toBe('a,b\nü');
  });

  test('send no file to somewhere that is not Slack', async () => {
    slack.answers = [ok({ upload_url: 'http://169.254.169.254/latest', file_id: 'F1' })];
    const upload = lanes.answers.uploadFile('C0OPS', { name: 'a', content: 'b', title: 'c' });
    expect(await failureOf(upload)).toMatchObject({ slackCode: 'refused_url' });
    expect(slack.calls.length).toBe(1);
  });
});
