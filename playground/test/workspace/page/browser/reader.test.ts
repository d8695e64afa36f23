import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../../test/until.ts';
import { type Pages, openPagesForEach } from './open-pages.ts';

let slack: Pages;
openPagesForEach((opened) => {
  slack = opened;
});

const composer = (page: Page) => page.getByRole('combobox', { name: /^Message/ });

describe('a page', () => {
  it('opens a thread in the place of the drills', async () => {
    const ts = await slack.post([], 'slow');
    await slack.gesture('send', { channel: 'C0OPS', text: 'looking', thread_ts: ts });
    const page = await slack.open();
    await page.getByRole('button', { name: /^Drills/ }).click();
    await page.getByRole('complementary', { name: 'Drill panel' }).waitFor();
    await page.getByRole('button', { name: /^1 reply/ }).click();
    await page.getByRole('complementary', { name: 'Thread' }).getByText('looking').waitFor();
    expect(await page.getByRole('complementary', { name: 'Drill panel' }).count()).toBe(0);
  });

  it('keeps drafts in a thread that Escape closes, and in a channel that the person leaves', async () => {
    const ts = await slack.post([], 'slow');
    const page = await slack.open();
    await page.locator(`[data-ts="${ts}"]`).hover();
    const open = page.getByRole('button', { name: 'Reply in thread' });
    await open.click();
    const reply = page.getByRole('combobox', { name: 'Reply in thread' });
    await reply.fill('half an answer');
    await reply.press('Escape');
    await reply.waitFor({ state: 'detached' });
    await page.locator(`[data-ts="${ts}"]`).hover();
    await open.click();
    expect(await reply.inputValue()).toBe('half an answer');

    await composer(page).first().fill('half a message');
    await page.locator('[data-channel="C0INC42"]').click();
    await page.getByRole('combobox', { name: 'Message #incident-42' }).waitFor();
    await page.locator('[data-channel="C0OPS"]').click();
    await until(async () => (await composer(page).first().inputValue()) === 'half a message');
    const sent = page.waitForResponse('**/_workspace/send');
    await composer(page).first().press('Enter');
    // A reload would end the request that sends the message, and the page keeps unsent messages.
    await (await sent).finished();
    await page.reload();
    await composer(page).first().waitFor();
    expect(await composer(page).first().inputValue()).toBe('');
  });

  it('is not live while the machine is offline', async () => {
    const page = await slack.open();
    const live = page.getByText('live', { exact: true });
    await page.context().setOffline(true);
    await page.getByText('reconnecting…').waitFor({ state: 'attached' });
    expect(await live.count()).toBe(0);
    await page.context().setOffline(false);
    await live.waitFor({ state: 'attached' });
    await slack.post([], 'after all');
    await page.getByText('after all').waitFor();
  });

  it('forgets private messages when it is reloaded, and not when it reconnects', async () => {
    const page = await slack.open();
    await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'only for you' });
    await page.getByText('only for you').first().waitFor();
    await page.context().setOffline(true);
    await page.getByText('reconnecting…').waitFor({ state: 'attached' });
    await page.context().setOffline(false);
    await page.getByText('live', { exact: true }).waitFor({ state: 'attached' });
    await page.getByText('only for you').first().waitFor();
    await slack.post([], 'for all');
    await page.reload();
    await page.getByText('for all').first().waitFor();
    expect(await page.getByText('only for you').count()).toBe(0);
  });
});
