import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { setStage, type Message, type Stage } from '../../../program/stage.ts';
import { commonPostgres } from '../../../common-postgres.ts';

const secret = 'a-secret-of-the-hook';
const channel = 'C0INC42';

/** Staging reboots run at once: there is no confirming click between a press and the service. */
const unconfirmed = exampleRulebook({}).replace(
  /labels: \{ env: staging \}\n(.*\n.*\n)    then: confirm/u,
  'labels: { env: staging }\n$1    then: allow\n    confirm: never',
);

const stores: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
  ['SQLite', () => Promise.resolve({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await commonPostgres.createDatabase() })],
];

describe.each(stores)('a button that runs a change at once, pressed twice, on %s', (_, storeEnv) => {
  let stage: Stage;
  beforeAll(async () => {
    const env = { LOG_LEVEL: 'warn', BELLHOP_SECRET_ALERTMANAGER_HOOK: secret, ...(await storeEnv()) };
    stage = await setStage({ rulebook: unconfirmed, env });
  });
  afterAll(() => stage.close());

  const seen = (text: string) => stage.seen('U0ALICE', (message) => message.text.includes(text), channel);

  /** Resolves to how many reboots reached the service, once the person was notified that a press did nothing. */
  const pressTwice = async (message: Message, button: string, name: string): Promise<number> => {
    const before = await stage.calls('rebootInstance');
    const press = async () => {
      // The current card, because it may have been redrawn.
      const now = await stage.seen('U0ALICE', ({ ts }) => ts === message.ts, channel);
      expect(await stage.press('U0ALICE', now, button)).toEqual({ ok: true });
    };
    await Promise.all([press(), press()]);
    await seen(`${name}: succeeded`);
    // By then the service would accept a second reboot.
    await stage.advance(60_000);
    await press();
    await seen(`You already pressed this button. Its request: /cloud reboot ${name}`);
    return (await stage.calls('rebootInstance')) - before;
  };

  it('sends once under an alert', async () => {
    await fetch(`${stage.botUrl}/hooks/alertmanager`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: alertmanagerBody([{ instance: 'web-1:9100' }]),
    });
    expect(await pressTwice(await seen('Firing: InstanceDown'), 'Reboot web-1…', 'web-1')).toBe(1);
  });

  it('sends once under a card, as Run it again', async () => {
    await stage.fault('rebootInstance', { status: 409 });
    await stage.say('U0ALICE', '/cloud reboot web-2', channel);
    const failed = await seen('web-2: failed');
    await stage.clearFaults();
    expect(await pressTwice(failed, 'Run it again', 'web-2')).toBe(1);
  });
});
