import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../browser.ts';
import { messageSaying, openAs, typeLine } from '../page.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Stage } from '../stage.ts';
import { createTabs, type Tabs } from '../../tabs.ts';

const secret = 'the-secret-behind-log-key';
let stage: Stage;
let browser: SharedBrowser;
let tabs: Tabs;
beforeAll(async () => {
  [stage, browser] = await Promise.all([
    setStage({
      rulebook: exampleRulebook({ secrets: { 'log-key': ['s3_secret_key', 'ftp_password'] } }),
      env: { BELLHOP_SECRET_LOG_KEY: secret, BELLHOP_SECRET_UNLISTED: 'the-unlisted-one' },
    }),
    openBrowser(),
  ]);
  tabs = createTabs(browser);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

afterEach(() => tabs.giveAllBack());

async function choose(page: Page, dialog: Locator, select: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: select }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The labels of the inputs, without the note that an input is optional. */
const shownIn = async (dialog: Locator): Promise<readonly string[]> =>
  (await dialog.locator('label').allTextContents()).map((label) => label.trim());

/** Opens the details of a card, and waits for text in them that is too long for the card. */
async function seenInDetails(card: Locator, dialog: Locator, text: string): Promise<void> {
  await card.getByRole('button', { name: 'Details' }).click();
  await dialog.getByText(text).first().waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
}

/** The bot has a service and a workspace that are not its own, and no NODE_ENV. */
const refusedNames = [
  ['secret:unlisted', "bellhop.yaml doesn't allow secret:unlisted to be sent anywhere."],
  ['secret:alertmanager-hook', 'secret:alertmanager-hook is reserved for Bellhop itself'],
  ['', 'Bellhop has no record of the stored settings'],
] as const;

describe('the form of the raw log export, in a browser', () => {
  it('grows with what is chosen, refuses a pasted secret next to its field, and ends in a card', async () => {
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE');
    await typeLine(page, '/cdn raw-logs');
    const dialog = page.getByRole('dialog');
    await choose(page, dialog, 'Storage type', 'S3');
    await choose(page, dialog, 'S3 type', 'Amazon S3');
    await dialog.getByLabel('Access key id').fill('AKIA1');
    expect(await shownIn(dialog)).toMatchInlineSnapshot(`
      [
        "Storage type",
        "Yes",
        "S3 type",
        "AWS region (optional)",
        "Access key id",
        "Secret key (optional)",
        "Bucket location (optional)",
        "Yes",
        "Bucket for all resources",
        "Folder for all resources (optional)",
        "Archive size in MB (optional)",
        "Yes",
        "Reason (optional)",
      ]
    `);
    await dialog.getByLabel('Bucket for all resources').fill('logs');
    await dialog.getByLabel('Secret key').fill('pasted-by-mistake');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('If you pasted the secret itself, rotate it').waitFor();
    for (const [name, says] of refusedNames) {
      await dialog.getByLabel('Secret key').fill(name);
      await dialog.getByRole('button', { name: 'Next' }).click();
      await dialog.getByText(says).waitFor();
    }
    await dialog.getByLabel('Secret key').fill('secret:log-key');
    await dialog.getByRole('button', { name: 'Next' }).click();
    const card = messageSaying(page, 'Needs one approval');
    await seenInDetails(card, dialog, 'secret:log-key');
    const approver = await openAs(tabs, stage.workspace.url, 'U0CAROL');
    await messageSaying(approver, 'Needs one approval').getByRole('button', { name: 'Approve' }).click();
    await messageSaying(page, 'Change the raw-log export of the CDN account: succeeded').waitFor();
    expect(await stage.calls('updateRawLogSettings')).toBe(1);
    expect(await page.content()).not.toContain(secret);
    expect(stage.bot.output()).not.toContain(secret);
    expect(stage.bot.output()).not.toContain('pasted-by-mistake');
  });

  it('takes a row for each resource, and shows only the columns that the storage has', async () => {
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE');
    await typeLine(page, '/cdn raw-logs --storage-type ftp');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('FTP host').fill('ftp.example.net');
    await dialog.getByLabel('FTP login').fill('logs');
    await dialog
      .getByRole('group', { name: 'One destination for all resources' })
      .getByRole('checkbox')
      .uncheck();
    await dialog.getByLabel('CDN resource').fill('12');
    await dialog.getByRole('button', { name: 'Add a row' }).click();
    await dialog.getByLabel('CDN resource').nth(1).fill('13');
    expect(await shownIn(dialog)).toMatchInlineSnapshot(`
      [
        "Storage type",
        "Yes",
        "FTP host",
        "FTP login",
        "FTP password (optional)",
        "Parent folder (optional)",
        "Yes",
        "CDN resource (optional)",
        "Folder",
        "Rule id (optional)",
        "CDN resource (optional)",
        "Folder",
        "Rule id (optional)",
        "Archive size in MB (optional)",
        "Yes",
        "Reason (optional)",
      ]
    `);
    await dialog.getByLabel('Folder', { exact: true }).first().fill('twelve');
    await dialog.getByLabel('Folder', { exact: true }).last().fill('x'.repeat(201));
    await dialog.getByLabel('FTP password').fill('secret:log-key');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Folder is longer than 200 characters.').waitFor();
    await dialog.getByLabel('Folder', { exact: true }).last().fill('thirteen');
    await dialog.getByRole('button', { name: 'Next' }).click();
    const card = messageSaying(page, 'Needs one approval');
    await seenInDetails(card, dialog, 'none → resource 13: thirteen');
    await card.getByRole('button', { name: 'Cancel' }).click();
    await messageSaying(page, 'Change the raw-log export of the CDN account: cancelled').waitFor();
    expect(await stage.calls('updateRawLogSettings')).toBe(1);
  });

  it('brings all of it back on “Request again”, and fills in the last sent settings by itself', async () => {
    const page = await openAs(tabs, stage.workspace.url, 'U0ALICE');
    const dialog = page.getByRole('dialog');
    const cancelled = messageSaying(page, 'Change the raw-log export of the CDN account: cancelled');
    await cancelled.getByRole('button', { name: 'Request again' }).click();
    expect(await dialog.getByLabel('Folder', { exact: true }).first().inputValue()).toBe('twelve');
    expect(await dialog.getByLabel('CDN resource').last().inputValue()).toBe('13');
    expect(await dialog.getByLabel('FTP password').inputValue()).toBe('secret:log-key');
    await dialog.getByRole('button', { name: 'Cancel' }).dblclick();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByText('This form is not open any more').count()).toBe(0);

    await typeLine(page, '/cdn raw-logs');
    await dialog.getByText('Filled in from').waitFor();
    expect(await dialog.getByLabel('Bucket for all resources').inputValue()).toBe('logs');
    await dialog.getByLabel('Bucket for all resources').fill('other-logs');
    await choose(page, dialog, 'Storage type', 'SFTP');
    await dialog.getByLabel('SFTP host').waitFor();
    await choose(page, dialog, 'Storage type', 'S3');
    await dialog.getByLabel('Access key id').waitFor();
    expect(await dialog.getByLabel('Access key id').inputValue()).toBe('AKIA1');
    expect(await dialog.getByLabel('Secret key').inputValue()).toBe('secret:log-key');
    await dialog.getByLabel('Bucket for all resources').fill('other-logs');
    await dialog.getByRole('button', { name: 'Next' }).click();
    const card = messageSaying(page, 'Needs one approval');
    await card.getByText(/Changes: 1 since request r-/u).waitFor();
    await seenInDetails(card, dialog, 'Bucket for all resources: logs → other-logs');
    await card.getByRole('button', { name: 'Cancel' }).click();
  });
});
