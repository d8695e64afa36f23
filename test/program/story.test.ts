import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchBrowser } from '../browser.ts';
import { freePort, startProcess, type BotProcess } from './bot-process.ts';

let bot: BotProcess;
let browser: Browser;
let address: string;
const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-story-'));

const start = async (): Promise<void> => {
  const [port, page, service] = [await freePort(), await freePort(), await freePort()].map(String);
  bot = await startProcess({
    DATA_DIR: dataDir,
    PORT: port ?? '',
    LOCAL_PORT: page ?? '',
    LOCAL_SERVICE_PORT: service ?? '',
    LOG_LEVEL: 'warn',
  });
  address = bot.output().trim().split('\n').at(-1)?.replace('Open ', '') ?? '';
};

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), start()]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await bot.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function open(as: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${address}/?as=${as}`);
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('combobox', { name: /^Message/u });
  await composer.fill(text);
  await composer.press('Escape');
  await composer.press('Enter');
}

/** The newest message of the channel that says this. */
const message = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('article').filter({ hasText: text }).last();

/** It is there within the browser's time-out. */
async function expectSeen(locator: Locator): Promise<void> {
  await locator.waitFor();
  expect(await locator.isVisible()).toBe(true);
}

describe('two commands and a browser', () => {
  it('reboots an instance from the page, through the bot, in the service', async () => {
    const page = await open('U0ALICE');
    await type(page, '/cloud reboot web-1 --reason "stuck since the deploy"');
    const card = message(page, 'Reboot web-1?');
    await expectSeen(card.getByText('stuck since the deploy'));
    await expectSeen(card.getByText('6c6aa80f-7836-4dc2-a2ae-125e248be476', { exact: true }));
    await card.getByRole('button', { name: 'Reboot web-1' }).click();
    await expectSeen(message(page, 'Reboot web-1: succeeded').getByText('rebooting'));
    expect(await page.getByRole('button', { name: 'Reboot web-1' }).count()).toBe(0);
  });

  it('lets Carol approve what Alice asks for in production, and nobody else', async () => {
    const [alice, bob, carol] = [await open('U0ALICE'), await open('U0BOB'), await open('U0CAROL')];
    await type(alice, '/cloud reboot db-1');
    await message(bob, 'db-1').getByRole('button', { name: 'Approve' }).click();
    await expectSeen(message(bob, 'You may not approve this'));
    await message(carol, 'db-1').getByRole('button', { name: 'Approve' }).click();
    await expectSeen(message(alice, 'Reboot db-1: succeeded'));
  });

  it('refuses a guest, with whom to ask', async () => {
    const page = await open('U0GUS');
    await type(page, '/cloud reboot web-2');
    await expectSeen(message(page, /Only visible to you/u).getByText(/Nothing was done/u));
    await expectSeen(message(page, 'Who may: responders'));
  });

  it('opens a form where the instance is missing, and asks through it', async () => {
    const page = await open('U0ALICE');
    await type(page, '/cloud stop');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Instance' }).fill('web');
    await page.getByRole('option', { name: 'web-2' }).click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await message(page, 'Stop web-2?').getByRole('button', { name: 'Cancel' }).click();
    await expectSeen(message(page, 'Stop web-2: cancelled'));
  });

  it('goes on where it was after being killed', async () => {
    const page = await open('U0ALICE');
    await type(page, '/cloud stop web-1');
    await expectSeen(message(page, 'Stop web-1?'));
    await bot.end('SIGKILL');
    await start();
    const after = await open('U0ALICE');
    await message(after, 'Stop web-1?').getByRole('button', { name: 'Cancel' }).click();
    await expectSeen(message(after, 'Stop web-1: cancelled'));
  });
});
