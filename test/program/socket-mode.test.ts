import { afterAll, beforeAll, expect, it } from 'vitest';

import { setStage, until, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ socketMode: true, env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

const ready = async (): Promise<number> => (await fetch(`${stage.botUrl}/readyz`)).status;

it('takes commands and clicks over Socket Mode, and reboots once', async () => {
  const before = await stage.calls(4);
  await stage.say('U0ALICE', '/cloud reboot web-1');
  const proposed = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
  await stage.press('U0ALICE', proposed, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === proposed.ts && text.includes('succeeded'));
  expect(await stage.calls(4)).toBe(before + 1);
});

it('stays connected while Slack asks for new connections', async () => {
  expect(await ready()).toBe(200);
  stage.workspace.refreshSockets();
  await until(async () => {
    const { ok } = await stage.say('U0ALICE', '/bellhop help');
    return ok && (await ready()) === 200 ? true : undefined;
  });
});
