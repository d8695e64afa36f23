import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../browser.ts';
import { freePort } from '../../free-port.ts';
import { startProcess, type BotProcess } from '../bot-process.ts';
import { messageSaying, openAs, typeLine } from '../page.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { createTabs, type Tabs } from '../../tabs.ts';

let bot: BotProcess;
let browser: SharedBrowser;
let tabs: Tabs;
let address: string;
const dataDir = temporaryFolder();
const [PORT = '', LOCAL_PORT = '', LOCAL_SERVICE_PORT = ''] = [
  await freePort(),
  await freePort(),
  await freePort(),
].map(String);

const start = async (): Promise<void> => {
  bot = await startProcess({
    DATA_DIR: dataDir,
    PORT,
    LOCAL_PORT,
    LOCAL_SERVICE_PORT,
    LOG_LEVEL: 'warn',
  });
  // Lines of the log may follow the line with the address.
  address = /^Open (.+)$/mu.exec(bot.output())?.[1] ?? '';
};

beforeAll(async () => {
  [browser] = await Promise.all([openBrowser(), start()]);
  tabs = createTabs(browser);
});
afterAll(async () => {
  await browser.close();
  await bot.end('SIGKILL');
});

// A page that stays open draws all that comes later, too.
afterEach(() => tabs.giveAllBack());

const open = (as: string): Promise<Page> => openAs(tabs, address, as);

/** Appears within the browser's time-out. */
async function expectSeen(locator: Locator): Promise<void> {
  await locator.waitFor();
  expect(await locator.isVisible()).toBe(true);
}

describe('two commands and a browser', () => {
  it('reboots an instance from the page, through the bot, in the service', async () => {
    const page = await open('U0ALICE');
    await typeLine(page, '/cloud reboot web-1 --reason "stuck since the deploy"');
    const card = messageSaying(page, 'Reboot web-1?');
    await expectSeen(card.getByText('stuck since the deploy'));
    await expectSeen(card.getByText('env=staging'));
    await card.getByRole('button', { name: 'Reboot web-1' }).click();
    await expectSeen(messageSaying(page, 'Reboot web-1: succeeded').getByText('web-1 has rebooted'));
    expect(await page.getByRole('button', { name: 'Reboot web-1' }).count()).toBe(0);
  });

  it('lets Carol approve what Alice asks for in production, and no one else', async () => {
    const [alice, bob, carol] = [await open('U0ALICE'), await open('U0BOB'), await open('U0CAROL')];
    await typeLine(alice, '/cloud reboot db-1');
    // Also once the card has replies, where Slack says of it that it begins a thread.
    for (const page of [bob, carol]) await expectSeen(messageSaying(page, 'db-1').getByText('1 reply'));
    await messageSaying(bob, 'db-1').getByRole('button', { name: 'Approve' }).click();
    await expectSeen(messageSaying(bob, "You can't approve this"));
    await messageSaying(carol, 'db-1').getByRole('button', { name: 'Approve' }).click();
    await expectSeen(messageSaying(alice, 'Reboot db-1: succeeded'));
  });

  it('refuses a guest, with whom to ask', async () => {
    const page = await open('U0GUS');
    await typeLine(page, '/cloud reboot web-2');
    await expectSeen(messageSaying(page, /Only visible to you/u).getByText(/Nothing was done/u));
    await expectSeen(messageSaying(page, /Allowed: roles? responders/u));
  });

  it('opens a form where the instance is missing, and asks through it', async () => {
    const page = await open('U0ALICE');
    await typeLine(page, '/cloud stop');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Instance' }).fill('web');
    await page.getByRole('option', { name: 'web-2' }).click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await messageSaying(page, 'Stop web-2?').getByRole('button', { name: 'Cancel' }).click();
    await expectSeen(messageSaying(page, 'Stop web-2: cancelled'));
  });

  it('answers a read privately, and again on Refresh', async () => {
    const page = await open('U0ALICE');
    for (const [command, title] of [
      ['/cloud container api', /Container api/u],
      ['/cloud ips --unassigned', /Floating IPs/u],
      ['/cdn metrics 5xx speed --last 2h', /CDN metrics/u],
      ['/cdn capacity', /CDN capacity/u],
      ['/storage kinds', /Kinds of storage events/u],
      ['/storage events', /Storage events/u],
      ['/bellhop can cloud reboot db-1', /Can you run/u],
      ['/bellhop status', /Bellhop/u],
      ['/bellhop policy', /rules in force/u],
    ] as const) {
      await typeLine(page, command);
      const answer = messageSaying(page, title).filter({ hasText: 'Only visible to you' });
      await answer.getByRole('button', { name: 'Refresh' }).click();
      await expectSeen(answer.getByRole('button', { name: 'Refresh' }));
    }
  });

  it('posts a storage event once it is confirmed', async () => {
    const page = await open('U0ALICE');
    await typeLine(page, '/storage post reaching_used_space --bucket story --storage main --bytes 10GB');
    const card = messageSaying(page, 'story');
    await card.getByText('10,000,000,000 bytes').first().waitFor();
    await card.getByRole('button', { name: /^Post/u }).click();
    await expectSeen(messageSaying(page, /story.*: succeeded/u));
  });

  it('continues where it was after being killed', async () => {
    const page = await open('U0ALICE');
    await typeLine(page, '/cloud stop web-1');
    await expectSeen(messageSaying(page, 'Stop web-1?'));
    await bot.end('SIGKILL');
    await start();
    const after = await open('U0ALICE');
    await messageSaying(after, 'Stop web-1?').getByRole('button', { name: 'Cancel' }).click();
    await expectSeen(messageSaying(after, 'Stop web-1: cancelled'));
  });

  it('says unknown, and not what it cannot know, while the service fails', async () => {
    const page = await open('U0ALICE');
    await typeLine(page, '/cloud reboot web-2');
    await page.getByRole('button', { name: 'Drills' }).click();
    await page.getByRole('button', { name: /^Failing/u }).click();
    await page.getByText('Failing: answers 500').waitFor();
    await messageSaying(page, 'Reboot web-2?').getByRole('button', { name: 'Reboot web-2' }).click();
    await expectSeen(messageSaying(page, 'Reboot web-2: unknown'));
  });
});
