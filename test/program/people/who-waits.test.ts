import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { until } from '../../until.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Message, type Stage } from '../stage.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  const rulebook = exampleRulebook({ readTimeout: '3s' });
  stage = await setStage({ rulebook, env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

/** The replies in the thread of a card. */
const replies = async (card: Message): Promise<readonly string[]> =>
  (await stage.messages('U0ALICE'))
    .filter(({ ts, thread_ts: thread, ephemeral }) => thread === card.ts && ts !== card.ts && !ephemeral)
    .map(({ text }) => text);

const replied = (card: Message, part: string): Promise<string> =>
  until(
    async () => (await replies(card)).find((text) => text.includes(part)),
    () => stage.bot.output(),
  );

const become = ({ ts }: Message, state: string): Promise<Message> =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

/** Presses a button of a card that is being edited in the meantime: the version at that moment. */
const pressOn = (as: string, card: Message, button: string, state = 'unknown') =>
  until(async () => (await stage.press(as, await become(card, state), button)).ok);

/** A reboot by Alice whose answer is lost after it took effect. */
async function lostReboot(name: string): Promise<Message> {
  await stage.fault('rebootInstance', { reset: true, after: true, times: 1 });
  await stage.say('U0ALICE', `/cloud reboot ${name}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${name}: proposed`));
  await stage.press('U0ALICE', card, `Reboot ${name}`);
  return become(card, 'unknown');
}

describe('an answer that got lost after the change took effect', () => {
  it('tells Alice, looks on Check now, and is settled by Carol, while nothing runs twice', async () => {
    const card = await lostReboot('web-1');
    expect(await replied(card, 'outcome unknown')).toContain('<@U0ALICE> ❓ *Reboot web-1* (staging)');
    await pressOn('U0ALICE', card, 'Check now');
    await pressOn('U0CAROL', card, 'Settle…');
    const form = await until(async () => (await stage.modals('U0CAROL'))[0]);
    const happened = { text: { type: 'plain_text', text: 'It ran' }, value: 'succeeded' };
    const values = {
      state: { value: { type: 'static_select', selected_option: happened } },
      reason: { value: { type: 'plain_text_input', value: 'its uptime is a minute' } },
    };
    await gesture(stage.workspace, 'submit', { as: 'U0CAROL', view_id: form.id, values });
    await become(card, 'succeeded');
    const told = await replied(card, 'settled by <@U0CAROL>');
    expect(told).toContain('<@U0ALICE>');
    expect(told).toContain('settled by <@U0CAROL>');
    const seen = await replied(card, "doesn't settle the outcome");
    expect(seen).toContain('web-1 is rebooting');
    expect(await replies(card)).toHaveLength(3);
    expect(await stage.calls('rebootInstance')).toBe(1);
  });
});

it('an approver who never looked at the channel is mentioned, and the requester when it was approved', async () => {
  await stage.say('U0ALICE', '/cloud stop db-1');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('db-1: awaiting approval'));
  expect(await replied(card, 'Approve *Stop db-1* (production)')).toContain('<@U0CAROL> ⏳');
  await pressOn('U0CAROL', card, 'Approve', 'awaiting approval');
  expect(await replied(card, 'approved by <@U0CAROL>')).toContain('<@U0ALICE>');
  expect((await replies(card)).filter((text) => text.includes('⏳ Approve'))).toHaveLength(1);
});

it('a person who denies gives a reason in a form, and the requester is notified', async () => {
  await stage.say('U0ALICE', '/cloud stop db-1 --reason "out of disk"');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('db-1: awaiting approval'));
  await stage.press('U0ALICE', card, 'Deny');
  await stage.seen('U0ALICE', ({ ephemeral, text }) => ephemeral && text.includes('use Cancel instead'));
  await pressOn('U0CAROL', card, 'Deny', 'awaiting approval');
  const form = await until(async () => (await stage.modals('U0CAROL'))[0]);
  const values = { reason: { value: { type: 'plain_text_input', value: 'the backup runs until 5' } } };
  await gesture(stage.workspace, 'submit', { as: 'U0CAROL', view_id: form.id, values });
  await become(card, 'refused');
  const told = await replied(card, 'denied by <@U0CAROL>');
  expect(told).toContain('<@U0ALICE>');
  expect(told).toContain('the backup runs until 5');
});

it('a read that hangs says that it looks, gives up in that place, and is tried again by a button', async () => {
  await stage.fault('getContainer', { hang: true });
  await stage.say('U0ALICE', '/cloud container api', 'C0INC42');
  const privately = async () =>
    (await stage.messages('U0ALICE', 'C0INC42')).filter(({ ephemeral }) => ephemeral);
  const failed = await stage.seen(
    'U0ALICE',
    ({ text }) => text.includes('No answer came within 3 s'),
    'C0INC42',
  );
  expect(failed.text).toContain('The service is not answering. Bellhop is fine.');
  await stage.clearFaults();
  await stage.press('U0ALICE', failed, 'Try again');
  const answered = await stage.seen('U0ALICE', ({ text }) => text.includes('Container api'), 'C0INC42');
  expect(answered.ts).toBe(failed.ts);
  expect(await privately()).toHaveLength(1);
});
