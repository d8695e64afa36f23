import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { sqliteFile } from '../../../../src/store/sqlite/open-sqlite.ts';
import { openBrowser, type SharedBrowser } from '../../../browser.ts';
import { messageSaying, openAs, typeLine } from '../../../program/page.ts';
import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { setStage, type Stage } from '../../../program/stage.ts';
import { createTabs, type Tabs } from '../../../tabs.ts';
import { until } from '../../../until.ts';

const secret = 'a-secret-of-the-hook';
const channel = 'C0INC42';

/** The example, with Bob as a responder, and a label that web-1 and web-2 share. */
const rulebook = exampleRulebook({})
  .replace('responders: { users: [U0ALICE]', 'responders: { users: [U0ALICE, U0BOB]')
  .replaceAll(/(web-[12]: .*tier: \w+)/gu, '$1, site: lux');

let stage: Stage;
let browser: SharedBrowser;
let tabs: Tabs;
beforeAll(async () => {
  const env = { BELLHOP_SECRET_ALERTMANAGER_HOOK: secret };
  [stage, browser] = await Promise.all([setStage({ env, rulebook, livelyService: true }), openBrowser()]);
  tabs = createTabs(browser);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

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

const pageOf = async (who: string, options = {}): Promise<Page> => {
  const page = await openAs(tabs, stage.workspace.url, who, options);
  await page.goto(`${stage.workspace.url}/?as=${who}#${channel}`);
  return page;
};

/** Takes pictures, if a folder for them is given. */
async function picture(name: string, as: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, width] of [
      ['wide', 1280],
      ['narrow', 390],
    ] as const) {
      const page = await pageOf(as, { viewport: { width, height: 900 }, colorScheme });
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` });
      await page.close();
    }
}

/** Moves everything that is due into the past, as if the bot had been down for this many milliseconds. */
function passWhileDown(ms: number): void {
  const database = new DatabaseSync(sqliteFile(join(stage.dataDir, 'bot')));
  database.exec(
    `update due set at = at - ${ms}, since = since - ${ms}, set_at = set_at - ${ms},
     about = json_set(about, '$.until', json_extract(about, '$.until') - ${ms}, '$.since', json_extract(about, '$.since') - ${ms})
     where kind = 'hold'`,
  );
  database.close();
}

it('two people see who is on an alert, and one holds its target until the hold ends by itself', async () => {
  await fire();
  const [alice, bob, carol] = await Promise.all(['U0ALICE', 'U0BOB', 'U0CAROL'].map((who) => pageOf(who)));
  if (!alice || !bob || !carol) throw new Error('a page is missing');
  await messageSaying(bob, 'InstanceDown').getByRole('button', { name: "I'm on it" }).click();
  await messageSaying(alice, 'InstanceDown').getByText('has been on it since').waitFor();

  await typeLine(alice, '/cloud reboot db-1');
  const card = messageSaying(alice, 'Reboot db-1: awaiting approval');
  await card.getByText(/@Bob has been on it since .* \(InstanceDown\)/u).waitFor();
  await picture('1-owned', 'U0ALICE');

  await typeLine(bob, '/cloud reboot --each site=lux --pause 5s');
  await stage.fault('rebootInstance', { delay_ms: 600_000 });
  await messageSaying(bob, 'Reboot 2 × site=lux?')
    .getByRole('button', { name: 'Reboot 2 × site=lux' })
    .click();
  await until(async () => (await stage.calls('rebootInstance')) === 1);

  await typeLine(bob, '/bellhop hold site=lux --reason "failover drill"');
  await messageSaying(bob, 'had already started there, and will finish.').waitFor();
  await typeLine(bob, '/bellhop hold db-1 --reason "failover drill"');
  await messageSaying(bob, "Others can't change it. Reads still work.").waitFor();
  await messageSaying(alice, '🔒 db-1 is held').getByRole('button', { name: 'Extend 1h' }).waitFor();
  await card.getByText(/db-1 is held by @Bob until .*: failover drill/u).waitFor();
  await picture('2-held', 'U0ALICE');

  await messageSaying(carol, 'Reboot db-1: awaiting approval')
    .getByRole('button', { name: 'Approve' })
    .click();
  await messageSaying(carol, 'Not run.')
    .getByText(/db-1 is held by @Bob until .*: failover drill/u)
    .waitFor();
  await picture('3-refused', 'U0CAROL');

  // Replaces the fault with the delay, so the reboot of web-1 is answered.
  await stage.fault('rebootInstance', { delay_ms: 1 });
  await messageSaying(bob, 'Reboot 2 × site=lux: done').getByText('All 2 rebooted').waitFor();
  await picture('4-his-rollout', 'U0BOB');

  await stage.bot.end('SIGTERM');
  passWhileDown(61 * 60_000);
  await stage.restart();
  await messageSaying(alice, 'db-1: the hold has ended').getByText('as planned').waitFor();
  await messageSaying(carol, 'Reboot db-1: awaiting approval')
    .getByRole('button', { name: 'Approve' })
    .click();
  await messageSaying(alice, 'Reboot db-1: succeeded').waitFor();
  await picture('5-ended', 'U0ALICE');
  expect(await stage.calls('rebootInstance')).toBe(3);
});
