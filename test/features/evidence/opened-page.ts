import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

import { launchBrowser } from '../../browser.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { alterations } from './alterations.ts';
import { audit, copyOf, logOf, october, packOf, rounds } from './october.ts';

/** A pack with its page in a browser, and a pack of another log, for the tests of a file. */
export function usePacks() {
  let browser: Browser;
  let log: Awaited<ReturnType<typeof logOf>>;
  let folder: string;
  let other: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    log = await logOf(rounds);
    const config = join(temporaryFolder(), 'bellhop.yaml');
    writeFileSync(config, 'rules: [{ name: production, risk: read, roles: [anyone], then: allow }]\n');
    folder = join(temporaryFolder(), 'october');
    const env = { DATA_DIR: log.dataDir, BELLHOP_CONFIG: config };
    await audit(['evidence', ...october, '--out', folder], env);
    const later = rounds.map((drafts) => drafts.map((one) => ({ ...one, at: one.at + 1 })));
    ({ folder: other } = await packOf((await logOf(later)).dataDir));
  });
  afterAll(() => browser.close());

  return {
    get log() {
      return log;
    },
    get folder() {
      return folder;
    },
    get other() {
      return other;
    },
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
    /** A copy of the pack, altered in this way. */
    altered(what: string): string {
      const copy = copyOf(folder);
      const found = alterations.find((one) => one.what === what);
      if (!found) throw new Error(`nothing alters ${what}`);
      found.alter(copy, other);
      return copy;
    },
    /** The page of the pack as a file, in a browser without a network. Any request or error fails the test. */
    async openPage(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
      const page = await browser.newPage({ offline: true, ...options });
      const wrong: string[] = [];
      page.on('pageerror', ({ message }) => wrong.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') wrong.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) wrong.push(request.url());
      });
      onTestFinished(async () => {
        await page.close();
        expect(wrong).toEqual([]);
      });
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      return page;
    },
    async give(page: Page, pack = folder) {
      await page.setInputFiles('#folder', pack);
      return verdict(page);
    },
  };
}

/** Resolves to the verdict, once there is one. */
export async function verdict(page: Page): Promise<{ readonly state: string; readonly text: string }> {
  const shown = page.locator('#verdict.good, #verdict.warn, #verdict.bad');
  await shown.waitFor();
  return { state: (await shown.getAttribute('class')) ?? '', text: await shown.innerText() };
}

export async function compare(page: Page, text: string) {
  await page.getByLabel('Paste the key that you were given').fill(text);
  await page.getByRole('button', { name: 'Compare' }).click();
}

export const rowsOf = (page: Page): Promise<readonly string[]> => page.locator('tbody tr').allInnerTexts();
