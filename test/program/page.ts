import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { Tabs } from '../tabs.ts';

/** The local workspace's page as someone, ready to be typed in. */
export async function openAs(
  tabs: Pick<Tabs, 'open'>,
  address: string,
  as: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await tabs.open(options);
  page.setDefaultTimeout(60_000);
  await page.goto(`${address}/?as=${as}`);
  await composerOf(page).waitFor();
  return page;
}

const composerOf = (page: Page): Locator => page.getByRole('combobox', { name: /^Message/u });

/** Types a line as a person does, without taking a suggestion. */
export async function typeLine(page: Page, text: string): Promise<void> {
  const composer = composerOf(page);
  await composer.fill(text);
  await composer.press('Escape');
  await composer.press('Enter');
}

/** The newest message that says this. */
export const messageSaying = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('article').filter({ hasText: text }).last();
