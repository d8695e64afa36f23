import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../browser.ts';
import { messageSaying, openAs, typeLine } from '../page.ts';
import { setStage, type Stage } from '../stage.ts';
import { createTabs, type Tabs } from '../../tabs.ts';

let stage: Stage;
let browser: SharedBrowser;
let tabs: Tabs;
beforeAll(async () => {
  [stage, browser] = await Promise.all([setStage(), openBrowser()]);
  tabs = createTabs(browser);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

afterEach(() => tabs.giveAllBack());

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** The blocks of a card: its author and the time are Slack's. */
async function heightOf(card: Locator): Promise<number> {
  const box = await card.locator('.blocks').first().boundingBox();
  return box?.height ?? Infinity;
}

const sidewaysBy = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.each(['light', 'dark'] as const)('cards, %s', (colorScheme) => {
  it('are small while they are open and smaller when they are over, with the rest behind Details', async () => {
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE', { viewport: wide, colorScheme });
    await typeLine(page, '/cloud reboot web-1 --reason "stuck since the deploy"');
    const card = messageSaying(page, 'Reboot web-1?');
    await card.getByRole('button', { name: 'Reboot web-1' }).waitFor();
    expect(await heightOf(card)).toBeLessThanOrEqual(220);
    await page.setViewportSize(phone);
    expect(await heightOf(card)).toBeLessThanOrEqual(330);
    expect(await sidewaysBy(page)).toBe(0);
    await page.setViewportSize(wide);

    await card.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog');
    await details.getByText('6c6aa80f-7836-4dc2-a2ae-125e248be476').first().waitFor();
    await details.getByRole('button', { name: 'Close', exact: true }).last().click();

    await card.getByRole('button', { name: 'Cancel' }).click();
    const ended = messageSaying(page, 'Reboot web-1: cancelled');
    await ended.getByRole('button', { name: 'Request again' }).waitFor();
    expect(await heightOf(ended)).toBeLessThanOrEqual(100);
  });

  it('say who can approve, and that it runs at once then', async () => {
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE', { viewport: wide, colorScheme });
    // The waiting card of the other scheme has the same words until this request replaces it.
    const reason = `does not answer, ${colorScheme}`;
    await typeLine(page, `/cloud reboot db-1 --reason "${reason}"`);
    const card = messageSaying(page, new RegExp(`Reboot db-1: awaiting approval.*${reason}`, 'su'));
    await card.getByText("runs as soon as it's approved").waitFor();
    await card.getByText("Can't wait?").waitFor();
    expect(await card.innerText()).toMatch(/Approvers: @Carol.* \(leads\)/su);
    expect(await heightOf(card)).toBeLessThanOrEqual(220);
    await card.getByRole('button', { name: 'Break glass…' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('Skipped: approval by leads').waitFor();
    await form
      .getByText(
        'Waiting request: stays open, and can be approved, until you confirm on the new card. That closes it.',
      )
      .waitFor();
    await form.getByText('Notified: #ops').waitFor();
    await form.getByLabel("Why it can't wait").fill('the shop is down');
    await form.getByRole('button', { name: 'Next' }).click();
    const broken = messageSaying(page, 'Reboot db-1 without approval by leads?');
    await broken.getByText('Break-glass: “the shop is down”').waitFor();
    await broken.getByText('stays open until you confirm, and is then cancelled.').waitFor();
    await card.getByRole('button', { name: 'Approve' }).waitFor();
    await broken.getByRole('button', { name: 'Cancel' }).click();
    await messageSaying(page, 'Reboot db-1: cancelled').waitFor();
  });

  it('say of an unknown outcome what was seen, in as little room', async () => {
    await stage.fault('rebootInstance', { reset: true, after: true, times: 1 });
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE', { viewport: wide, colorScheme });
    await typeLine(page, '/cloud reboot web-2');
    await messageSaying(page, 'Reboot web-2?').getByRole('button', { name: 'Reboot web-2' }).click();
    const card = messageSaying(page, 'Reboot web-2: unknown');
    await card.getByText('Checked').waitFor();
    expect(await heightOf(card)).toBeLessThanOrEqual(220);
    expect(await sidewaysBy(page)).toBe(0);
    await card.getByRole('button', { name: 'Settle…' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'It did not run' }).click();
    await form.getByLabel('How you know').fill('its uptime is a week');
    await form.getByRole('button', { name: 'Settle it' }).click();
    const settled = messageSaying(page, 'Reboot web-2: failed');
    await settled.getByText('settled by').first().waitFor();
    await page.setViewportSize(phone);
    expect(await heightOf(settled)).toBeLessThanOrEqual(170);
    expect(await sidewaysBy(page)).toBe(0);
  });
});

it('buttons try a read again, and deny a request with a reason', async () => {
  const page = await openAs(tabs, stage.workspace.url, 'U0ALICE', { viewport: wide });
  // A read is sent three times before it fails.
  await stage.fault('getContainer', { status: 503, times: 3 });
  await typeLine(page, '/cloud container api');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.click();
  await messageSaying(page, 'Container api').waitFor();
  expect(await again.count()).toBe(0);

  await typeLine(page, '/cloud stop db-1 --reason "out of disk"');
  await messageSaying(page, 'Stop db-1: awaiting approval').waitFor();
  const carol = await openAs(tabs, stage.workspace.url, 'U0CAROL', { viewport: wide });
  await messageSaying(carol, 'Stop db-1: awaiting approval').getByRole('button', { name: 'Deny' }).click();
  const form = carol.getByRole('dialog');
  await form.getByLabel('Why, for the requester').fill('the backup runs until 5');
  await form.getByRole('button', { name: 'Deny' }).click();
  await messageSaying(page, 'Stop db-1: refused').getByText('the backup runs until 5').waitFor();
});
