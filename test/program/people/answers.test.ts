import { afterAll, beforeAll, expect, it } from 'vitest';

import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'error' } });
});
afterAll(() => stage.close());

const privateTo = async (as: string, channel?: string): Promise<readonly Message[]> =>
  (await stage.messages(as, channel)).filter(({ ephemeral }) => ephemeral);

/** Presses a button and waits for the private message that follows. */
async function whisperAfter(as: string, on: Message, button: string, channel?: string): Promise<Message> {
  const before = (await privateTo(as, channel)).length;
  expect(await stage.press(as, on, button)).toEqual({ ok: true });
  return until(async () => (await privateTo(as, channel))[before]);
}

it('“Share in channel” that Slack does not take says what to do about it', async () => {
  await stage.say('U0ALICE', '/cloud ips', 'C0INC42');
  const answer = await stage.seen('U0ALICE', ({ ephemeral }) => ephemeral, 'C0INC42');
  const drill = (methods: readonly string[]) =>
    gesture(stage.workspace, 'slack-drills', { as: 'U0ALICE', drills: { rate_limit: methods } });
  await drill(['chat.postMessage']);
  const refusal = await whisperAfter('U0ALICE', answer, 'Share in channel', 'C0INC42');
  expect(refusal.text).toBe('Slack is rate-limiting Bellhop. Wait a minute.');
  await drill([]);
});

it('“Refresh” on a shared answer answers the person who pressed it, and leaves the shared message unchanged', async () => {
  await stage.say('U0ALICE', '/cloud ips');
  const answer = await stage.seen('U0ALICE', ({ ephemeral }) => ephemeral);
  await stage.press('U0ALICE', answer, 'Share in channel');
  const shared = await stage.seen('U0BOB', ({ ephemeral, text }) => !ephemeral && text === answer.text);
  expect(JSON.stringify(shared.blocks)).toContain('Shared by <@U0ALICE>');
  const own = await whisperAfter('U0BOB', shared, 'Refresh');
  expect(own.text).toBe(shared.text);
  expect(buttonsOf(own)).toContain('Share in channel');
  expect((await stage.messages('U0BOB')).find(({ ts }) => ts === shared.ts)).toEqual(shared);
});

it('“Refresh” checks a starting container again and replaces the answer', async () => {
  await stage.say('U0ALICE', '/cloud container thumbnails');
  const answer = await stage.seen('U0ALICE', ({ text }) => text.includes('0 of 3 ready'));
  await stage.advance(60_000);
  await stage.press('U0ALICE', answer, 'Refresh');
  const again = await stage.seen('U0ALICE', ({ text }) => text.includes('3 of 3 ready'));
  expect(again.ephemeral).toBe(true);
});
