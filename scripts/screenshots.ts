import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { launchBrowser } from '../test/browser.ts';
import { freePort, startProcess } from '../test/program/bot-process.ts';

/** Makes the pictures of the README from the running program: `node scripts/screenshots.ts [folder]`. */
const folder = process.argv[2] ?? 'docs';
const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-pictures-'));
mkdirSync(folder, { recursive: true });
const [port, localPort, servicePort] = [await freePort(), await freePort(), await freePort()];
const bot = await startProcess({
  DATA_DIR: dataDir,
  PORT: String(port),
  LOCAL_PORT: String(localPort),
  LOCAL_SERVICE_PORT: String(servicePort),
  LOG_LEVEL: 'error',
});
const browser = await launchBrowser();
try {
  await pictures(browser);
} finally {
  await browser.close();
  await bot.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}

async function pictures(from: Browser): Promise<void> {
  const alice = await open(from, 'U0ALICE');
  await type(alice, '/cloud reboot web-1 --reason "stuck since the deploy"');
  await message(alice, 'Reboot web-1?').getByRole('button', { name: 'Reboot web-1' }).waitFor();
  await shot(alice, 'confirm');
  await message(alice, 'Reboot web-1?').getByRole('button', { name: 'Reboot web-1' }).click();
  await message(alice, 'Reboot web-1: succeeded').waitFor();

  await type(alice, '/cdn metrics 2xx 5xx --last 6h');
  await message(alice, 'page 1 of').or(message(alice, 'Refresh')).waitFor();
  await shot(alice, 'metrics');

  await type(alice, '/cloud reboot db-1');
  await message(alice, 'awaiting approval').waitFor();
  const carol = await open(from, 'U0CAROL');
  await message(carol, 'db-1').getByRole('button', { name: 'Approve' }).waitFor();
  await shot(carol, 'approve');

  const bob = await open(from, 'U0BOB');
  await type(bob, '/cloud stop web-2');
  await message(bob, 'Nothing was done').waitFor();
  await shot(bob, 'refused');

  await carol.getByRole('button', { name: 'Drills' }).click();
  await shot(carol, 'drills');
}

async function open(from: Browser, as: string): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1100, height: 760 } });
  await page.goto(`http://127.0.0.1:${localPort}/?as=${as}`);
  await page.getByRole('combobox', { name: /^Message/u }).waitFor();
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('combobox', { name: /^Message/u });
  await composer.fill(text);
  await composer.press('Escape');
  await composer.press('Enter');
}

function message(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text }).last();
}

async function shot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
