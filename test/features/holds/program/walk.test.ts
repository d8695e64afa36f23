import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sqliteFile } from '../../../../src/store/sqlite/open-sqlite.ts';
import { launchBrowser } from '../../../browser.ts';
import { buttonsOf, type Message, setStage, type Stage } from '../../../program/stage.ts';
import { openAs } from '../../../program/page.ts';
import { createTabs } from '../../../tabs.ts';

const secret = 'a-secret-of-the-hook';
const channel = 'C0INC42';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { BELLHOP_SECRET_ALERTMANAGER_HOOK: secret } });
});
afterAll(() => stage.close());

/** Fires an alert about db-1. */
async function fire(): Promise<void> {
  const labels = { alertname: 'InstanceDown', instance: 'db-1', severity: 'critical' };
  const alert = { status: 'firing', labels, annotations: {}, startsAt: new Date().toISOString() };
  const response = await fetch(`${stage.botUrl}/hooks/alertmanager`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'firing', groupKey: 'db-1', groupLabels: labels, alerts: [alert] }),
  });
  await response.body?.cancel();
}

/** Takes pictures, if a folder for them is given. */
async function picture(name: string, as: string, where: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  const browser = await launchBrowser();
  const tabs = createTabs(browser);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, width] of [
      ['wide', 1280],
      ['narrow', 390],
    ] as const) {
      const page = await openAs(tabs, stage.workspace.url, as, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await page.goto(`${stage.workspace.url}/?as=${as}#${where}`);
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` });
    }
  await browser.close();
}

const saying =
  (text: string) =>
  (message: Message): boolean =>
    JSON.stringify(message).includes(text);

/** Moves what is due into the past, as if the bot had been down for that long. */
function passWhileDown(ms: number): void {
  const database = new DatabaseSync(sqliteFile(join(stage.dataDir, 'bot')));
  database.exec(
    `update due set at = at - ${ms}, since = since - ${ms}, set_at = set_at - ${ms},
     about = json_set(about, '$.until', json_extract(about, '$.until') - ${ms}, '$.since', json_extract(about, '$.since') - ${ms})
     where kind = 'hold'`,
  );
  database.close();
}

describe('two people', () => {
  it('see who is on an alert, hold a target, and neither get in the way of the other nor twice', async () => {
    await fire();
    const alert = await stage.seen('U0BOB', ({ text }) => text.startsWith('Firing: InstanceDown'), channel);
    expect(buttonsOf(alert)).toContain("I'm on it");
    await picture('1-alert', 'U0BOB', channel);
    await stage.press('U0BOB', alert, "I'm on it");
    const owned = await stage.seen('U0ALICE', saying('is on it since'), channel);
    expect(buttonsOf(owned)).toContain('Take over');

    await stage.say('U0ALICE', '/cloud reboot db-1', channel);
    const card = await stage.seen('U0ALICE', saying('Reboot db-1: awaiting approval'), channel);
    expect(JSON.stringify(card)).toContain('<@U0BOB> is on it since');
    await stage.recorded(card);
    await picture('2-owned', 'U0ALICE', channel);

    await stage.say('U0CAROL', '/bellhop hold db-1 --reason "failover drill"', channel);
    const answer = await stage.seen('U0CAROL', saying('db-1 is held'), channel);
    expect(answer.ephemeral).toBe(true);
    const held = await stage.seen('U0ALICE', ({ text }) => text.startsWith('🔒 db-1 is held'), channel);
    expect(buttonsOf(held)).toEqual(['Release', 'Extend 1h']);
    await stage.seen(
      'U0ALICE',
      (message) => message.ts === card.ts && saying('is held by <@U0CAROL>')(message),
      channel,
    );
    await picture('3-held', 'U0ALICE', channel);

    // Carol may approve, and her hold does not stop her; Alice's change is refused all the same.
    await stage.press('U0CAROL', card, 'Approve');
    const refused = await stage.seen('U0CAROL', saying('Not run.'), channel);
    expect(JSON.stringify(refused)).toContain('db-1 is held by <@U0CAROL>');
    await stage.say('U0ALICE', '/cloud reboot db-1', channel);
    await stage.seen('U0ALICE', saying("You can't reboot db-1 now."), channel);
    await picture('4-refused', 'U0ALICE', channel);

    await stage.bot.end('SIGTERM');
    passWhileDown(61 * 60_000);
    await stage.restart();
    await stage.seen('U0ALICE', saying('db-1: the hold has ended'), channel);
    await picture('5-ended', 'U0ALICE', channel);
    await stage.press('U0CAROL', card, 'Approve');
    await stage.seen('U0ALICE', saying('Reboot db-1: succeeded'), channel);
    expect(await stage.calls('rebootInstance')).toBe(1);
  });
});
