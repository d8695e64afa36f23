import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../../test/until.ts';
import { openPages, type Pages, openPagesForEach } from './open-pages.ts';
import type { Tabs } from '../../../../../test/tabs.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';

let tabs: Tabs;
let slack: Pages;
openPagesForEach((opened, its) => {
  tabs = its;
  slack = opened;
});

const turn = (page: Page, visibility: string) =>
  page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`,
  );
const composer = (page: Page) => page.getByRole('combobox', { name: /^Message/ });

const last = (page: Page) => page.getByRole('article').last();

async function places(page: Page): Promise<(string | null)[]> {
  const links = await page.locator('[data-channel]').all();
  return Promise.all(links.map((link) => link.getAttribute('data-channel')));
}

describe('anyone who one is', () => {
  it('stays in the address, and is chosen from the people here', async () => {
    const page = await slack.open();
    const choice = page.getByRole('combobox', { name: 'You are' });
    expect((await choice.locator('option').allTextContents()).map((each) => each.trim())).toEqual([
      'Alice · responder',
      'Bob · viewer',
      'Carol · lead',
      'Gus · guest',
      'Sara · Other organization',
    ]);
    await choice.selectOption('U0CAROL');
    await page.waitForURL(/\?as=U0CAROL/);
    await composer(page).fill('it is me');
    await page.keyboard.press('Enter');
    await last(page).getByText('it is me').waitFor();
    expect(await last(page).getAttribute('aria-label')).toMatch(/^Carol/);
    await page.goBack();
    await until(async () => (await choice.inputValue()) === 'U0ALICE');
  });

  it('sees what they may see: a guest has one channel, a stranger no direct message', async () => {
    const [gus, sara] = [await slack.open({ as: 'U0GUS' }), await slack.open({ as: 'U0SARA' })];
    expect(await places(gus)).toEqual(['C0OPS', expect.stringMatching(/^D/), 'home']);
    expect(await places(sara)).toEqual(['C0OPS', 'home']);
  });
});

describe('the Home tab', () => {
  it('is drawn by the app once it is opened, and its buttons work', async () => {
    const page = await slack.open();
    await page.getByRole('link', { name: 'Bellhop Home' }).click();
    await until(() => slack.app.received.find(({ body }) => body.includes('app_home_opened')));
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Good evening' } },
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'My requests' } }],
      },
    ];
    await slack.api('views.publish', { user_id: 'U0ALICE', view: { type: 'home', blocks } });
    await page.getByRole('heading', { name: 'Good evening' }).waitFor();
    await page.getByRole('button', { name: 'My requests' }).click();
    expect(await slack.action()).toMatchObject({ action_id: 'go' });
    await page.getByRole('link', { name: 'Messages' }).click();
    await composer(page).fill('hello');
    await page.keyboard.press('Enter');
    await until(() => slack.app.received.find(({ body }) => body.includes('"channel_type":"im"')));
  });
});

describe('a hidden tab', () => {
  it('closes its connection, and catches up when it is shown again', async () => {
    const [hidden, seen] = [await slack.open(), await slack.open({ as: 'U0BOB' })];
    await turn(hidden, 'hidden');
    await slack.post([], 'meanwhile');
    await last(seen).getByText('meanwhile').waitFor();
    expect(await hidden.getByRole('article').count()).toBe(0);
    await turn(hidden, 'visible');
    await last(hidden).getByText('meanwhile').waitFor();
  });
});

describe('a workspace that goes away', () => {
  it('is looked for, and what happened since is shown', async () => {
    const dataDir = temporaryFolder();
    const before = await openPages(tabs, { dataDir });
    const page = await before.open();
    await before.post([], 'before');
    await last(page).getByText('before').waitFor();
    await before.workspace.close();
    await page.getByText('reconnecting…').waitFor();
    const after = await openPages(tabs, { dataDir, port: before.workspace.port });
    try {
      await after.post([], 'after the restart');
      await last(page).getByText('after the restart').waitFor();
      await page.getByText('live', { exact: true }).waitFor();
      expect(await page.getByRole('article').count()).toBe(2);
    } finally {
      await tabs.giveBack(page);
      await after.close();
      await before.app.close();
    }
  });
});
