import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Pages, openPagesForEach } from './open-pages.ts';

let slack: Pages;
let page: Page;
openPagesForEach(async (opened) => {
  slack = opened;
  page = await slack.open();
});

const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('lines') });

it('a person picks two files, removes one, and sends the other without a text', async () => {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([file('one.log'), file('two.log')]);
  await page.getByRole('button', { name: 'Remove one.log' }).click();
  await page.getByRole('button', { name: 'Remove two.log' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'two.log' }).waitFor();
  expect(await page.getByRole('link', { name: 'one.log' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Remove two.log' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
});
