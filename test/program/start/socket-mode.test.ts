import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ socketMode: true, env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

const ready = async (): Promise<number> => (await fetch(`${stage.botUrl}/readyz`)).status;
const readiness = async (): Promise<string> => (await fetch(`${stage.botUrl}/readyz`)).text();
const whispersTo = async (who: string): Promise<number> =>
  (await stage.messages(who)).filter(({ ephemeral }) => ephemeral).length;

it('the bot takes commands and clicks over Socket Mode, and reboots once', async () => {
  expect(stage.bot.output()).toContain('Bellhop is ready: Slack ⇄ Socket Mode ⇄ ');
  const before = await stage.calls('rebootInstance');
  await stage.say('U0ALICE', '/cloud reboot web-1');
  const proposed = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
  await stage.press('U0ALICE', proposed, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === proposed.ts && text.includes('succeeded'));
  expect(await stage.calls('rebootInstance')).toBe(before + 1);
});

it('the bot takes mentions and shortcuts over Socket Mode', async () => {
  await stage.say('U0ALICE', '@Bellhop stop web-2');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('web-2: proposed'));
  const message = { channel: 'C0OPS', ts: card.ts };
  await gesture(stage.workspace, 'shortcut', { as: 'U0ALICE', callback_id: 'run-on-this', message });
  const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
  expect(form.title?.text).toBe('Run on this…');
});

describe('connections that are cut', () => {
  it('one of two: shows in /readyz, and what comes in the meantime is answered once, over the other one', async () => {
    stage.workspace.cutSocket();
    const said = await Promise.all(Array.from({ length: 20 }, () => stage.say('U0BOB', '/bellhop requests')));
    expect(said).toEqual(said.map(() => ({ ok: true })));
    await until(async () => ((await whispersTo('U0BOB')) >= said.length ? true : undefined));
    expect(await whispersTo('U0BOB')).toBe(said.length);
    expect(await readiness()).toContain('a connection was closed, 1 of 2 left');
    expect(await ready()).toBe(200);
  });

  it('both: not ready, with the reason, until Slack lets it connect again', async () => {
    await gesture(stage.workspace, 'slack-drills', { as: 'U0ALICE', drills: { web_api_down: true } });
    await until(async () => {
      stage.workspace.cutSocket();
      return (await ready()) === 503 ? true : undefined;
    });
    expect(await readiness()).toMatch(/"slack":\{"ok":false,[^}]*"lastError":"[^"]*0 of 2/u);
    await gesture(stage.workspace, 'slack-drills', { as: 'U0ALICE', drills: { web_api_down: false } });
    await until(async () => ((await ready()) === 200 ? true : undefined));
    expect((await stage.say('U0ALICE', '/bellhop help')).ok).toBe(true);
  });
});

it('the bot stays connected while Slack asks for new connections', async () => {
  expect(await ready()).toBe(200);
  stage.workspace.refreshSockets();
  await until(async () => {
    const { ok } = await stage.say('U0ALICE', '/bellhop help');
    return ok && (await ready()) === 200 ? true : undefined;
  });
});
