import { afterEach, expect, it } from 'vitest';

import { createDice } from '../../harness/seeded-random.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { until } from '../../until.ts';

const deaths = Number(process.env['ROLLOUT_DEATHS'] ?? 3);
const dice = createDice(Number(process.env['ROLLOUT_SEED'] ?? 7));

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const seenBy = (of: Stage, card: Message, words: RegExp): Promise<Message> =>
  of.seen('U0ALICE', ({ ts, text }) => ts === card.ts && words.test(text));

/** Continues the paused rollout as its requester until it is done. Resolves to the last card. */
async function finish(of: Stage, card: Message): Promise<Message> {
  for (;;) {
    const now = await seenBy(of, card, /paused|done|stopped/u);
    if (!now.text.includes('paused')) return now;
    const button = buttonsOf(now).find((text) => text.startsWith('Continue with'));
    if (button === undefined) return now;
    await of.press('U0ALICE', now, button);
    await of.seen(
      'U0ALICE',
      ({ ts, text, blocks }) =>
        ts === card.ts && (!text.includes('paused') || !JSON.stringify(blocks).includes(button)),
    );
  }
}

it.each(Array.from({ length: deaths }, (_, index) => 200 + dice.below(14_000) + index))(
  'kill -9 %i ms after its start leaves a rollout that ends with each target once, and never two at once',
  { timeout: 120_000 },
  async (ms) => {
    const env = { LOG_LEVEL: 'warn' };
    stage = await setStage({ env, livelyService: true, rulebook: exampleRulebook({}) });
    await stage.say('U0ALICE', '/cloud reboot --each tier=web --pause 1s');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('Reboot 3 × tier=web: proposed'));
    await stage.recorded(card);
    await stage.press('U0ALICE', card, 'Reboot 3 × tier=web');
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
    await stage.bot.end('SIGKILL');
    await stage.restart();
    const last = await finish(stage, card);
    const calls = await until(async () => stage?.calls('rebootInstance'));
    const lines = JSON.stringify(last.blocks);
    // A target whose answer died with the process is unknown; it was sent once at most.
    expect(calls).toBeLessThanOrEqual(3);
    expect(calls).toBeGreaterThanOrEqual(3 - (lines.match(/unknown/gu) ?? []).length);
    expect(last.text).toMatch(/done|paused/u);
    for (const name of ['web-1', 'web-2', 'web-3'])
      expect(lines).toMatch(new RegExp(`\\*${name}\\* (succeeded|unknown)`, 'u'));
  },
);
