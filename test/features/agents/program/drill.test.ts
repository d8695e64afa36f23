import { afterAll, beforeAll, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../../browser.ts';
import { freePort } from '../../../free-port.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { startProcess, type BotProcess } from '../../../program/bot-process.ts';
import { messageSaying, openAs } from '../../../program/page.ts';
import { createTabs } from '../../../tabs.ts';

let bot: BotProcess;
let browser: SharedBrowser;

beforeAll(async () => {
  const [port, page, service] = [await freePort(), await freePort(), await freePort()].map(String);
  const ports = { PORT: port ?? '', LOCAL_PORT: page ?? '', LOCAL_SERVICE_PORT: service ?? '' };
  const started = startProcess({ DATA_DIR: temporaryFolder(), ...ports, LOG_LEVEL: 'warn' });
  [browser, bot] = await Promise.all([openBrowser(), started]);
});
afterAll(async () => {
  await browser.close();
  await bot.end('SIGKILL');
});

it('the drill shows a suggestion from beginning to end without a real agent', async () => {
  const address = bot.output().trim().split('\n').at(-1)?.replace('Open ', '') ?? '';
  const page = await openAs(createTabs(browser), address, 'U0ALICE');
  await page.getByRole('button', { name: 'Drills' }).click();
  await page.getByRole('button', { name: /^An agent suggests…/u }).click();
  const steps = page.getByRole('list', { name: 'What the agent does' });
  await steps.getByText('Suggests /cloud reboot web-1: waiting for a person').waitFor();
  await page.getByRole('button', { name: 'Close drill panel' }).click();

  await page
    .getByRole('link', { name: /incident-42/u })
    .or(page.getByRole('button', { name: /incident-42/u }))
    .first()
    .click();
  const suggestion = messageSaying(page, 'suggests /cloud reboot web-1');
  await suggestion.getByText('Evidence from holmes').waitFor();
  await suggestion.getByRole('button', { name: 'Reboot web-1…' }).click();
  await suggestion.getByText('Pressed').waitFor();
  await suggestion.getByText('1 reply').click();
  const card = messageSaying(page, 'Reboot web-1?');
  await card.getByText('Suggested by the agent holmes').waitFor();
  await card.getByRole('button', { name: 'Reboot web-1', exact: true }).click();
  await messageSaying(page, 'Reboot web-1: succeeded').waitFor();

  await page.getByRole('button', { name: 'Drills' }).click();
  await steps.getByText('Status: succeeded').waitFor();
  expect(await suggestion.getByRole('button', { name: 'Reboot web-1…' }).count()).toBe(0);
});
