import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { signedHeaders } from '../../../slack/receive/receiving-app.ts';
import { until } from '../../../until.ts';
import { buttonsOf, type Message, type Stage, setStage } from '../../../program/stage.ts';
import {
  agentOf,
  exportedLog,
  withAgents,
  statusOf,
  suggest,
  suggestionFor,
} from '../../../program/agents.ts';

/** A channel with guests. */
const ops = 'C0OPS';
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(
    withAgents({ holmes: { channel: ops }, quick: { channel: ops, expire_after: '4s' } }),
  );
});
afterAll(() => stage.close());

const click = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string(),
  message: z.looseObject({ ts: z.string() }),
});
type Click = z.output<typeof click>;

/** The click as Slack sent it to the bot. The person may not run the command, so the suggestion stays. */
async function clickOf(who: string, message: Message, button: string): Promise<Click> {
  await stage.press(who, message, button);
  const sent = stage.payloads.passed.findLast(({ body }) => body.includes('block_actions'));
  return click.parse(JSON.parse(new URLSearchParams(sent?.body.toString()).get('payload') ?? ''));
}

/**
 * Presses the same button as another person, on a screen that still shows it. Only the person of the first click can
 * read the answer.
 */
async function pressAgain(pressed: Click, id: string): Promise<void> {
  const user = { ...pressed.user, id };
  const payload = { ...pressed, user, trigger_id: randomUUID() };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const { status } = await fetch(`${stage.botUrl}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signedHeaders(body, Date.now(), stage.env['SLACK_SIGNING_SECRET']),
    },
  });
  expect(status).toBe(200);
}

/** The number of private messages to this person that say that the suggestion is closed. */
const endedFor = async (who: string): Promise<number> =>
  (await stage.messages(who, ops)).filter(
    ({ ephemeral, text }) => ephemeral && text.includes('This suggestion is closed'),
  ).length;

describe.each<[string, string, string, (message: Message) => Promise<unknown>, string]>([
  ['expired', 'quick', 'web-1', () => Promise.resolve(), 'expired'],
  ['was dismissed', 'holmes', 'web-2', (message) => stage.press('U0CAROL', message, 'Dismiss'), 'dismissed'],
  [
    'another person pressed',
    'holmes',
    'web-1',
    (message) => stage.press('U0CAROL', message, 'Reboot web-1…'),
    'proposed',
  ],
])('a button of a suggestion that %s', (_, name, target, end, state) => {
  it('is answered privately and changes nothing', async () => {
    const agent = await agentOf(stage, name);
    const { id } = await suggest(agent, `/cloud reboot ${target}`);
    const message = await suggestionFor(stage, `/cloud reboot ${target}`, ops);
    const reboot = await clickOf('U0BOB', message, `Reboot ${target}…`);
    const dismiss = await clickOf('U0GUS', message, 'Dismiss');
    expect((await statusOf(agent, id)).state).toBe('waiting for a person');
    await end(message);
    await until(async () => (await statusOf(agent, id)).state === state);
    await until(async () =>
      (await stage.messages('U0ALICE', ops)).some(
        ({ ts, blocks }) => ts === message.ts && buttonsOf({ ...message, blocks }).length === 0,
      ),
    );
    const told = [await endedFor('U0BOB'), await endedFor('U0GUS')];
    const all = (await stage.messages('U0ALICE', ops)).length;

    await pressAgain(reboot, 'U0ALICE');
    await pressAgain(dismiss, 'U0ALICE');
    await until(async () => (await endedFor('U0BOB')) === (told[0] ?? 0) + 1);
    await until(async () => (await endedFor('U0GUS')) === (told[1] ?? 0) + 1);

    expect((await stage.messages('U0ALICE', ops)).length).toBe(all);
    expect((await statusOf(agent, id)).state).toBe(state);
    expect(await stage.calls('rebootInstance')).toBe(0);
    const entries = (await exportedLog(stage)).filter(({ suggestion }) => suggestion?.id === id);
    expect(entries.map(({ event }) => event)).toEqual([
      'suggested',
      state === 'proposed' ? 'pressed' : state,
    ]);
    expect(entries.filter(({ actor }) => actor?.user === 'U0ALICE')).toEqual([]);
    if (state === 'proposed') {
      const card = await stage.seen('U0CAROL', ({ text }) => text.includes(`${target}: proposed`), ops);
      await stage.press('U0CAROL', card, 'Cancel');
      await until(async () => (await statusOf(agent, id)).state === 'cancelled');
    }
  });
});
