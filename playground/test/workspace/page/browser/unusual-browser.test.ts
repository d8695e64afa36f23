import { expect, it } from 'vitest';

import { type Pages, openPagesForEach } from './open-pages.ts';

let slack: Pages;
openPagesForEach((opened) => {
  slack = opened;
});

it('shows the workspace at an address that is not percent-encoded', async () => {
  const page = await slack.open();
  await page.goto(`${page.url().replace(/#.*$/u, '')}#100%`);
  await page.reload();
  await page.getByRole('navigation').first().waitFor();
  expect(await page.getByRole('navigation').first().isVisible()).toBe(true);
});

it('keeps drafts in memory where the browser blocks storage', async () => {
  const page = await slack.open();
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage'] as const) {
      const storage = window[name];
      Object.defineProperty(window, name, {
        get: () => {
          if (Reflect.get(window, 'allowed') === true) return storage;
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await page.reload();
  const composer = page.getByRole('combobox', { name: /^Message/ });
  await composer.fill('hello');
  expect(await composer.inputValue()).toBe('hello');
  // The helpers that close the page read the storage.
  await page.evaluate(() => Reflect.set(window, 'allowed', true));
});
