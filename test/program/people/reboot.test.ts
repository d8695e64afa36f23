import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());
afterEach(async () => {
  await stage.clearFaults();
  await stage.advance(60_000);
});

/** The newest card, once it is in this state. */
const card = (name: string, state: string) =>
  stage.seen('U0ALICE', (message) => message.text.includes(name) && message.text.includes(state));

/** The same card, later. */
const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

describe('a reboot from a slash command', () => {
  it('shows what would be rebooted, reboots once on the red button, and says how it ended', async () => {
    const before = await stage.calls('rebootInstance');
    expect(await stage.say('U0ALICE', '/cloud reboot web-1 --reason "stuck"')).toEqual({ ok: true });
    const proposed = await card('web-1', 'proposed');
    expect(buttonsOf(proposed)).toEqual(['Reboot web-1', 'Cancel', 'Details']);
    expect(await stage.calls('rebootInstance')).toBe(before);

    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    const ended = await become(proposed, 'succeeded');
    expect(buttonsOf(ended)).not.toContain('Reboot web-1');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('runs once however often the requester presses the button in a row', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.say('U0ALICE', '/cloud reboot web-2');
    const proposed = await card('web-2', 'proposed');
    await Promise.all(Array.from({ length: 5 }, () => stage.press('U0ALICE', proposed, 'Reboot web-2')));
    await become(proposed, 'succeeded');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('refuses a press by someone else, privately, and leaves the card usable', async () => {
    const before = await stage.calls('stopInstance');
    await stage.say('U0ALICE', '/cloud stop web-1');
    const proposed = await card('web-1', 'proposed');
    await stage.press('U0BOB', proposed, 'Stop web-1');
    await stage.seen(
      'U0BOB',
      (message) =>
        message.ephemeral && /You have no role that may run this request of <@U0ALICE>/u.test(message.text),
    );
    await stage.press('U0ALICE', proposed, 'Cancel');
    const cancelled = await become(proposed, 'cancelled');
    expect(buttonsOf(cancelled)).toEqual(['Request again', 'Details']);
    expect(await stage.calls('stopInstance')).toBe(before);
  });

  it('calls a timeout or a 5xx unknown, and never repeats it', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.fault('rebootInstance', { status: 502 });
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const proposed = await card('web-1', 'proposed');
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    await become(proposed, 'unknown');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('says of an unknown outcome what it sees at the instance, and leaves it unknown', async () => {
    await stage.fault('rebootInstance', { status: 502, after: true });
    await stage.say('U0ALICE', '/cloud reboot web-2');
    const proposed = await card('web-2', 'proposed');
    await stage.press('U0ALICE', proposed, 'Reboot web-2');
    const seen = await stage.seen(
      'U0ALICE',
      ({ ts, blocks }) =>
        ts === proposed.ts &&
        JSON.stringify(blocks).includes(
          "web-2 is rebooting. That may be this request or someone else's change",
        ),
    );
    expect(seen.text).toContain('web-2: unknown');
    expect(JSON.stringify(seen.blocks)).toContain('State before the request: ACTIVE');
  });

  it("says the service's reason where it refuses", async () => {
    await stage.fault('rebootInstance', {
      status: 409,
      body: { exception_class: 'ConflictError', message: 'Another task holds it' },
    });
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const proposed = await card('web-1', 'proposed');
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    const ended = await become(proposed, 'failed');
    expect(JSON.stringify(ended.blocks)).toContain('Another task holds it');
  });
});
