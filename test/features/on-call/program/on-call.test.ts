import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { setStage, type Message, type Stage } from '../../../program/stage.ts';
import { gesture } from '../../../program/workspace-page.ts';

const incident = 'C0INC42';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ rulebook: exampleRulebook({ onCall: true }) });
});
afterAll(() => stage.close());

/** The bot begins with this schedule: it has asked once it is ready. */
async function startWith(schedule: { readonly on_call: string; readonly down: boolean }): Promise<void> {
  await stage.bot.end('SIGTERM');
  await gesture(stage.workspace, 'schedule', { as: 'U0ALICE', schedule });
  await stage.restart();
}

/** The private messages to Bob in the incident's channel, with their blocks. */
async function refusal(fits: string): Promise<string> {
  const told = ({ ephemeral, text, blocks }: Message): boolean =>
    ephemeral &&
    /^(You can't|You have no role that may)/u.test(text) &&
    JSON.stringify(blocks).includes(fits);
  await stage.say('U0BOB', '/cloud reboot web-1', incident);
  return JSON.stringify((await stage.seen('U0BOB', told, incident)).blocks);
}

const part = z.object({
  ok: z.boolean(),
  required: z.boolean().optional(),
  lastError: z.string().optional(),
});

async function readiness() {
  const response = await fetch(`${stage.botUrl}/readyz`);
  const { parts } = z.object({ parts: z.record(z.string(), part) }).parse(await response.json());
  return { status: response.status, schedules: parts['schedules'] };
}

describe('the schedule of the playground', () => {
  it('says who is on call to a person who is not', async () => {
    expect(await refusal('On call now')).toContain('On call now: <@U0ALICE> (primary, until ');
  });

  it('lets the person on call reboot where the incident is', async () => {
    await startWith({ on_call: 'U0BOB', down: false });
    await stage.say('U0BOB', '/cloud reboot web-1', incident);
    const card = await stage.seen('U0BOB', ({ text }) => text.includes('web-1: proposed'), incident);
    await stage.press('U0BOB', card, 'Reboot web-1');
    await stage.seen('U0BOB', ({ ts, text }) => ts === card.ts && text.includes('succeeded'), incident);
    expect(await stage.calls('rebootInstance')).toBe(1);
  });

  it('lets no one slip through while it is down, and says so', async () => {
    await startWith({ on_call: 'U0BOB', down: true });
    const told = await refusal('answered 503');
    expect(told).toContain("Bellhop can't tell who is on call");
    expect(told).toContain('Only leads can use');
    expect(await stage.calls('rebootInstance')).toBe(1);
    expect(await readiness()).toEqual({
      status: 200,
      schedules: {
        ok: false,
        required: false,
        lastError: "primary is failing, so Bellhop can't tell who is on call: it answered 503",
      },
    });
    await stage.say('U0BOB', '/bellhop oncall', incident);
    const shown = await stage.seen(
      'U0BOB',
      ({ ephemeral, text }) => ephemeral && text.startsWith('On call'),
      incident,
    );
    expect(shown.text).toContain("Schedule “primary” can't be read: it answered 503.");
  });
});
