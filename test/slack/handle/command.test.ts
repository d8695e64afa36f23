import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createCommandsInProgress } from '../../../src/run/admission.ts';
import type { CommandResult } from '../../../src/run/run-command.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import { report } from '../../../src/model/values/report.ts';
import type { Recipient, SlackContext } from '../../../src/slack/messages/context.ts';
import { answerCommand } from '../../../src/slack/handle/command.ts';
import { answerPrivately, showResult } from '../../../src/slack/handle/reply.ts';
import { createSlackLanes, type SlackLanes } from '../../../src/slack/web-api/web-client.ts';
import { createDrivenClock, type DrivenClock } from '../../driven-clock.ts';
import { until } from '../../until.ts';
import { fakeSlack, type FakeSlack, ok, refused, status } from '../fake-slack.ts';
import { recordingLog } from '../../log.ts';
import { alice, bob } from '../../people.ts';

let slack: FakeSlack;
let lanes: SlackLanes;
let clock: DrivenClock;
let context: SlackContext;
beforeEach(async () => {
  slack = await fakeSlack();
  clock = createDrivenClock();
  const log = recordingLog();
  lanes = createSlackLanes({ token: () => 'xoxb-1', slackApiUrl: slack.apiUrl, clock, log });
  const inProgress = createCommandsInProgress();
  context = { api: lanes.answers, clock, inProgress, log, disclaimers: [] } as unknown as SlackContext;
});
afterEach(async () => {
  await lanes.close();
  await slack.close();
});

const recipient = (more: Partial<Recipient>): Recipient => ({
  caller: {
    actor: alice,
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    correlationId: 'c-1',
  },
  responseUrl: `${slack.origin}/commands/1`,
  ...more,
});

const answer: CommandResult = { kind: 'report', report: report.parse({ title: 'Three addresses' }) };

/** A read that has begun. `finish` gives it an answer; `fail` makes it fail with a temporary error. */
function read(
  to: Recipient,
  show = (where: Recipient): Promise<void> =>
    answerPrivately(context, where, () => ({ text: 'Three addresses', blocks: [] })),
) {
  const result = Promise.withResolvers<CommandResult>();
  const answered = answerCommand(context, to, {
    run: ({ onRead }) => {
      onRead?.('/cloud ips');
      return result.promise;
    },
    show,
  });
  return {
    finish: () => (result.resolve(answer), answered),
    fail: () => (
      result.reject(new BellhopError('rejected', 'No answer came.', { retryable: true })),
      answered
    ),
  };
}

/** The text sent to Slack, and whether it replaces the previous text. */
const sent = () =>
  slack.calls.map(({ fields: { text, replace_original: instead } }) =>
    instead === true ? `instead: ${String(text)}` : String(text),
  );

const looking = () => until(() => sent().some((text) => text.includes('Looking…')));

/** Someone who asked in a thread. */
const ofThread = (): Recipient => {
  const place = { team: 'T0LOCAL', channel: 'C0OPS', thread: '9.1' };
  return recipient({
    caller: { ...recipient({}).caller, place },
    responseUrl: undefined,
    publicly: true,
  });
};
/** The methods of Slack that were called, each with the thread and the message. */
const calls = () => slack.calls.map(({ path, fields: { thread_ts, ts } }) => [path, thread_ts, ts]);

it('a person with twenty commands in progress gets “busy”, and others do not', async () => {
  const reads = Array.from({ length: 20 }, () => read(recipient({})));
  await read(recipient({})).finish();
  expect(sent()).toEqual([expect.stringContaining('You already have 20 commands in progress.')]);
  await read(recipient({ caller: { ...recipient({}).caller, actor: bob } })).finish();
  expect(sent().at(-1)).toBe('Three addresses');
  await Promise.all(reads.map(({ finish }) => finish()));
  await read(recipient({})).finish();
  expect(sent().slice(1)).toEqual(Array.from({ length: 22 }, () => 'Three addresses'));
});

describe('a read that takes its time', () => {
  it('says nothing but its answer within two seconds', async () => {
    const { finish } = read(recipient({ ofCommand: true }));
    await clock.advance(1_999);
    await finish();
    await clock.advance(60_000);
    expect(sent()).toEqual(['Three addresses']);
  });

  it.each([
    ['a command', { ofCommand: true }, ['👀 Looking…', 'instead: Three addresses']],
    ['a private answer', { replaces: true }, ['instead: 👀 Looking…', 'instead: Three addresses']],
    ['a message for all', {}, ['👀 Looking…', 'Three addresses']],
  ])('says after two seconds that it looks, to %s', async (_, to, expected) => {
    const { finish } = read(recipient(to));
    await clock.advance(2_000);
    await looking();
    await finish();
    expect(sent()).toEqual(expected);
  });

  it('is answered in its place in a direct message', async () => {
    slack.answers = [ok({ channel: 'D0ALICE', ts: '1.1' })];
    const caller = { ...recipient({}).caller, place: { team: 'T0LOCAL', channel: 'D0ALICE' } };
    const { finish } = read(recipient({ caller, responseUrl: undefined }));
    await clock.advance(2_000);
    await looking();
    await finish();
    expect(slack.calls.map(({ path, fields }) => [path, fields['text'], fields['ts']])).toEqual([
      ['/api/chat.postMessage', '👀 Looking…', undefined],
      ['/api/chat.update', 'Three addresses', 1.1],
    ]);
  });

  describe('requested in a thread', () => {
    const shown = { ...answer, words: '/cloud ips' };

    it('says there for all that it looks, and answers in that place', async () => {
      slack.answers = [ok({ channel: 'C0OPS', ts: '1.1' })];
      const { finish } = read(ofThread(), (where) => showResult(context, where, undefined, shown));
      await clock.advance(2_000);
      await looking();
      await finish();
      expect(calls()).toEqual([
        ['/api/chat.postMessage', 9.1, undefined],
        ['/api/chat.update', undefined, 1.1],
      ]);
    });

    it('is answered there for all, and to one person alone if it has buttons for them', async () => {
      const items = [
        {
          title: 'Reboot web-1',
          state: 'proposed',
          id: 'r-1',
          by: { team: 'T', user: 'U1' },
          at: 0,
          buttons: [],
        },
      ];
      const list = { ...shown, report: report.parse({ title: 'Open requests', items }) };
      for (const result of [shown, list])
        await read(ofThread(), (where) => showResult(context, where, undefined, result)).finish();
      const late = read(ofThread(), (where) => showResult(context, where, undefined, list));
      slack.answers = [ok({ channel: 'C0OPS', ts: '1.2' })];
      await clock.advance(2_000);
      await looking();
      await late.finish();
      expect(calls().map(([path]) => path)).toEqual([
        '/api/chat.postMessage',
        '/api/chat.postEphemeral',
        '/api/chat.postMessage',
        '/api/chat.delete',
        '/api/chat.postEphemeral',
      ]);
    });

    it('is refused to one person alone', async () => {
      await read(ofThread()).fail();
      expect(calls()).toEqual([['/api/chat.postEphemeral', 9.1, undefined]]);
    });
  });

  it('is answered below where Slack finds nothing to replace', async () => {
    const { finish } = read(recipient({ ofCommand: true }));
    await clock.advance(2_000);
    await looking();
    slack.answers = [refused('message_not_found'), status(200, {}, 'ok')];
    await finish();
    expect(sent()).toEqual(['👀 Looking…', 'instead: Three addresses', 'Three addresses']);
  });

  it('is answered also where Slack takes no “Looking…”, which is not tried again', async () => {
    slack.answers = [status(503), status(200, {}, 'ok')];
    const { finish } = read(recipient({ ofCommand: true }));
    await clock.advance(2_000);
    await looking();
    await finish();
    expect(sent()).toEqual(['👀 Looking…', 'Three addresses']);
  });
});

const lastBlocks = () => JSON.stringify(slack.calls.at(-1)?.fields['blocks']);

describe('a read that fails for a reason that passes', () => {
  it('says so in the place of “Looking…”, with a button for the same command', async () => {
    const { fail } = read(recipient({ ofCommand: true }));
    await clock.advance(2_000);
    await looking();
    await fail();
    expect(sent()).toEqual(['👀 Looking…', 'instead: No answer came.']);
    expect(lastBlocks()).toContain('Try again');
    expect(lastBlocks()).toContain('/cloud ips');
  });

  it('leaves an answer that stood there', async () => {
    const { fail } = read(recipient({ replaces: true }));
    await fail();
    expect(sent()).toEqual(['No answer came.']);
  });
});
