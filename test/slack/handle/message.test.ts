import { expect, it } from 'vitest';

import { createCommandsInProgress } from '../../../src/run/admission.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { handleMessage } from '../../../src/slack/handle/message.ts';
import { openStage } from '../../operations/stage.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { received } from '../receive/handled.ts';
import { mention } from '../receive/payload-samples.ts';

const sentAt = Number(mention.event.ts) * 1_000;

/** The commands that run for a message this late, and the answers to its writer. */
async function arrive(lateMs: number, message: object = {}) {
  const stage = await openStage();
  const told: string[] = [];
  const slack = {
    ...stage.context,
    inProgress: createCommandsInProgress(),
    cards: { shown: () => Promise.resolve(undefined) },
    api: {
      postEphemeral: (channel: string, user: string, { text }: { text: string }, thread?: string) =>
        Promise.resolve(void told.push(`${channel} ${user} ${thread}: ${text}`)),
    },
    clock: createDrivenClock(sentAt + lateMs),
    disclaimers: [],
  } as unknown as SlackContext;
  const { context } = received({ ...mention, event: { ...mention.event, ...message } });
  if (!context.message) throw new Error('it is not a message');
  await handleMessage(slack, 'U0BELLHOP', context);
  const requests = await stage.store.list({ limit: 10 });
  return { run: requests.map(({ words }) => words), told };
}

it('a message that Slack delivers after an outage is shown and not run, where it was written', async () => {
  expect(await arrive(10 * 60_000)).toEqual({ run: ['/cloud reboot web-1'], told: [] });
  const { run, told } = await arrive(47 * 60_000, { thread_ts: '1763600000.000100' });
  expect(run).toEqual([]);
  expect(told).toEqual([
    expect.stringMatching(
      /^C0OPS U0ALICE 1763600000\.000100: .*Slack delivered your message 47 minutes late\. Nothing was done/u,
    ),
  ]);
});

it('a message of Bellhop itself is nothing, whatever it says', async () => {
  expect(await arrive(0, { user: 'U0BELLHOP' })).toEqual({ run: [], told: [] });
});

const inSection = (...elements: object[]) => ({
  text: 'the text is not looked at',
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
});
const toBellhop = { type: 'user', user_id: 'U0BELLHOP' };
const words = (text: string) => ({ type: 'text', text });

it('a mention with words behind it, further on in a message, gets a private hint and runs nothing', async () => {
  const message = inSection(words('hey '), toBellhop, words(' reboot web-1'));
  expect(await arrive(0, message)).toEqual({
    run: [],
    told: [
      'C0OPS U0ALICE undefined: To run a command, start the message with the mention: <@U0BELLHOP> `reboot web-1`.',
    ],
  });
});

it.each([
  ['with nothing behind it', inSection(words('thanks '), toBellhop, words('!'))],
  ['of someone else', inSection(words('hey '), { type: 'user', user_id: 'U0BOB' }, words(' reboot web-1'))],
  [
    'in a quote',
    {
      text: 'quoted',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            { type: 'rich_text_quote', elements: [words('hey '), toBellhop, words(' reboot web-1')] },
          ],
        },
      ],
    },
  ],
])('a mention %s, further on in a message, is nothing', async (_, message) => {
  expect(await arrive(0, message)).toEqual({ run: [], told: [] });
});

it.each([
  ['stop', '`/cloud stop` needs more: *Instance*.'],
  ['/storage post', '`/storage post` needs more: *Kind*, *Bucket* and *Storage*.'],
  ['raw-logs', '`/cdn raw-logs` is run from its form.'],
])('a message that only says %s gets an answer that names what is missing', async (line, told) => {
  const message = inSection(toBellhop, words(` ${line}`));
  expect((await arrive(0, message)).told).toEqual([`C0OPS U0ALICE undefined: ${told}`]);
});

it('a message that Slack delivers again late is answered with the request of the first time', async () => {
  const stage = await openStage();
  const told: string[] = [];
  const clock = createDrivenClock(sentAt + 1_000);
  const slack = {
    ...stage.context,
    inProgress: createCommandsInProgress(),
    cards: {
      shown: () => Promise.resolve(undefined),
      link: () => Promise.resolve('https://acme.slack.com/p1'),
    },
    api: {
      postEphemeral: (_: string, __: string, { blocks }: { blocks: readonly unknown[] }) =>
        Promise.resolve(void told.push(JSON.stringify(blocks))),
    },
    clock,
    disclaimers: [],
  } as unknown as SlackContext;
  const arriving = (message: object = {}) =>
    handleMessage(
      slack,
      'U0BELLHOP',
      received({ ...mention, event: { ...mention.event, ...message } }).context,
    );
  await arriving();
  await clock.advance(47 * 60_000);
  await arriving();
  const [request, ...more] = await stage.store.list({ limit: 10 });
  expect(more).toEqual([]);
  expect(told).toEqual([
    expect.stringContaining(`Bellhop had already received it: request ${request?.id} is proposed.`),
  ]);
  expect(told[0]).toContain('https://acme.slack.com/p1');
  await arriving({ channel: 'C0INC42' });
  expect(told[1]).toContain('Nothing was done. Send it again if you still want it.');
});
