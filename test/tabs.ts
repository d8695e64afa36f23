import type { BrowserContextOptions, Page } from 'playwright-core';

import type { SharedBrowser } from './browser.ts';

/** Pages of a browser, each in a separate context, as on another machine. */
export interface Tabs {
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Empties a page, for the next test that opens a page with the same options. */
  giveBack(page: Page): Promise<void>;
  /** Empties all open pages. */
  giveAllBack(): Promise<void>;
}

/** A returned page loads the same address with half the CPU, because its process has compiled the scripts. */
export function createTabs(browser: SharedBrowser): Tabs {
  const idle = new Map<string, Page[]>();
  const kinds = new Map<Page, string>();
  const tabs: Tabs = {
    async open(options = {}) {
      const kind = JSON.stringify(options);
      const page = idle.get(kind)?.pop() ?? (await (await browser.newContext(options)).newPage());
      if (options.viewport) await page.setViewportSize(options.viewport);
      kinds.set(page, kind);
      return page;
    },
    async giveBack(page) {
      const kind = kinds.get(page) ?? '';
      kinds.delete(page);
      for (const event of ['pageerror', 'console', 'request']) page.removeAllListeners(event);
      for (const other of page.context().pages()) if (other !== page) await other.close();
      await page.context().clearCookies();
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.mouse.move(0, 0);
      await page.goto('about:blank');
      idle.set(kind, [...(idle.get(kind) ?? []), page]);
    },
    giveAllBack: async () => void (await Promise.all([...kinds.keys()].map((page) => tabs.giveBack(page)))),
  };
  return tabs;
}
