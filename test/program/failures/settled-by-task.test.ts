import { afterAll, beforeAll, expect, it } from 'vitest';

import { until } from '../../until.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Message, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  const rulebook = exampleRulebook({ tasks: true });
  stage = await setStage({ rulebook, livelyService: true, env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

async function reboot(name: string): Promise<Message> {
  await stage.say('U0ALICE', `/cloud reboot ${name}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${name}: proposed`));
  await stage.press('U0ALICE', card, `Reboot ${name}`);
  return card;
}

/** The reply in the thread of a card that says this. */
const replied = (card: Message, part: string): Promise<string> =>
  until(
    async () =>
      (await stage.messages('U0ALICE')).find(
        ({ ts, thread_ts: thread, text }) => thread === card.ts && ts !== card.ts && text.includes(part),
      )?.text,
    () => stage.bot.output(),
  );

it('Alice learns without typing that a reboot whose answer was lost did happen, by the task that proves it', async () => {
  const first = await reboot('web-2');
  expect(await replied(first, 'web-2 has rebooted')).toContain('<@U0ALICE>');
  await stage.fault('rebootInstance', { reset: true, after: true, times: 1 });
  const card = await reboot('web-1');
  expect(await replied(card, 'outcome unknown')).toContain('<@U0ALICE>');
  const told = await replied(card, 'confirmed: web-1 has rebooted');
  expect(told).toContain('<@U0ALICE>');
  expect(told).toContain('(task ');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
  expect(await stage.calls('rebootInstance')).toBe(2);
});
