import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../../browser.ts';
import { freePort } from '../../../free-port.ts';
import { type BotProcess, startProcess } from '../../../program/bot-process.ts';
import { messageSaying, openAs } from '../../../program/page.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { createTabs } from '../../../tabs.ts';

let bot: BotProcess;
let browser: SharedBrowser;

beforeAll(async () => {
  const [PORT, LOCAL_PORT, LOCAL_SERVICE_PORT] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = { PORT: `${PORT}`, LOCAL_PORT: `${LOCAL_PORT}`, LOCAL_SERVICE_PORT: `${LOCAL_SERVICE_PORT}` };
  const settings = { DATA_DIR: temporaryFolder(), LOG_LEVEL: 'error', ...ports };
  [browser, bot] = await Promise.all([openBrowser(), startProcess(settings)]);
});
afterAll(async () => {
  await browser.close();
  await bot.end('SIGKILL');
});

const open = (as: string): Promise<Page> => {
  const address = bot.output().trim().split('\n').at(-1)?.replace('Open ', '') ?? '';
  return openAs(createTabs(browser), address, as);
};

const links = (page: Page) => page.getByRole('link', { name: 'Sign in to approve' });

/** Follows the newest link of a message in a new window. */
async function signIn(page: Page, as: string): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await links(page).last().click();
  const login = await opened;
  await login.getByRole('button', { name: as }).click();
  await login.waitForURL(/\/step-up\/callback/u);
  return login;
}

it('the drill of a stolen session approves nothing in fifty clicks, and then Carol herself does', async () => {
  const [alice, carol] = [await open('U0ALICE'), await open('U0CAROL')];
  for (const page of [alice, carol]) await page.getByRole('link', { name: '# general' }).click();
  await alice.getByRole('button', { name: 'Drills' }).click();
  await alice.getByRole('button', { name: /^Steal Carol’s session/u }).click();
  const drill = alice.getByRole('region', { name: 'Stolen Slack session' }).getByRole('status');
  await drill.getByText('50 clicks as Carol.').waitFor();
  await drill.getByText('Nothing was approved.').waitFor();
  expect(await messageSaying(alice, /Reboot db-1|db-1: awaiting/u).textContent()).toContain(
    'awaiting approval',
  );

  const bobs = await signIn(carol, 'Bob');
  await bobs.getByText('You are signed in as bob@example.com').waitFor();

  await messageSaying(carol, 'awaiting approval').getByRole('button', { name: 'Approve' }).click();
  await carol.getByRole('link', { name: /^Bellhop ,/u }).click();
  await carol.getByText('Approve was pressed 51 times in your name.').waitFor();
  expect(await links(carol).count()).toBe(1);
  const carols = await signIn(carol, 'Carol');
  await carols.getByRole('button', { name: 'Approve' }).click();
  await carols.getByRole('heading', { name: 'Approved' }).waitFor();
  await messageSaying(alice, /db-1: (?:running|succeeded)/u).waitFor();
  expect(await carols.getByRole('status').textContent()).toContain('is running now');
});
