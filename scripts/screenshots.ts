import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { launchBrowser } from '../test/browser.ts';
import { freePort } from '../test/free-port.ts';
import { startProcess } from '../test/program/bot-process.ts';
import { messageSaying, openAs, typeLine } from '../test/program/page.ts';

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
  await typeLine(alice, '/cloud reboot web-1 --reason "stuck since the deploy"');
  await messageSaying(alice, 'Reboot web-1?').getByRole('button', { name: 'Reboot web-1' }).waitFor();
  await shot(alice, 'confirm');
  await messageSaying(alice, 'Reboot web-1?').getByRole('button', { name: 'Reboot web-1' }).click();
  await messageSaying(alice, 'Reboot web-1: succeeded').waitFor();

  await typeLine(alice, '/cdn metrics 2xx 5xx --last 6h');
  await messageSaying(alice, 'page 1 of').or(messageSaying(alice, 'Refresh')).waitFor();
  await top(messageSaying(alice, 'Refresh'));
  await shot(alice, 'metrics');

  await typeLine(alice, '/cloud reboot db-1');
  await messageSaying(alice, 'awaiting approval').waitFor();
  const carol = await open(from, 'U0CAROL');
  await messageSaying(carol, 'db-1').getByRole('button', { name: 'Approve' }).waitFor();
  await shot(carol, 'approve');

  const bob = await open(from, 'U0BOB');
  await typeLine(bob, '/cloud stop web-2');
  await messageSaying(bob, 'Nothing was done').waitFor();
  await shot(bob, 'refused');

  await carol.getByRole('button', { name: 'Drills' }).click();
  await carol.getByRole('button', { name: /^Failing/u }).click();
  await typeLine(alice, '/cloud reboot web-2');
  await messageSaying(alice, 'Reboot web-2?').getByRole('button', { name: 'Reboot web-2' }).click();
  await messageSaying(carol, 'Reboot web-2: unknown').waitFor();
  await top(messageSaying(carol, 'Reboot web-2: unknown'));
  await shot(carol, 'unknown');
}

function open(from: Browser, as: string): Promise<Page> {
  return openAs(from, `http://127.0.0.1:${localPort}`, as, { viewport: { width: 1100, height: 760 } });
}

/** The beginning of a message where the eye begins. */
async function top(message: Locator): Promise<void> {
  await message.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

async function shot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
