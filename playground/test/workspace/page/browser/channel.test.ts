import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../../test/until.ts';
import { messagesOf } from '../../open-slack.ts';
import { type Pages, openPagesForEach } from './open-pages.ts';

let slack: Pages;
openPagesForEach((opened) => {
  slack = opened;
});

const composer = (page: Page) => page.getByRole('combobox', { name: /^Message/ });

/** How many pixels of the channel are below the visible part. */
const belowSight = (page: Page): Promise<number> =>
  page.getByRole('log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
const last = (page: Page) => page.getByRole('article').last();

describe('a channel', () => {
  it('shows what another person says at once, with author and time', async () => {
    const [alice, bob] = [await slack.open(), await slack.open({ as: 'U0BOB' })];
    await composer(alice).fill('web-1 is *slow*');
    await alice.keyboard.press('Enter');
    await bob.getByText('web-1 is').waitFor();
    expect(await last(bob).getAttribute('aria-label')).toMatch(/^Alice at \d\d:\d\d$/);
    expect(await last(bob).locator('strong').textContent()).toBe('slow');
    expect(await composer(alice).inputValue()).toBe('');
  });

  it('shows an update to everyone, marked as edited, where the message was', async () => {
    const ts = await slack.post([], 'running');
    await slack.post([], 'later');
    const [alice, carol] = [await slack.open(), await slack.open({ as: 'U0CAROL' })];
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'succeeded' });
    for (const page of [alice, carol]) {
      const message = page.locator(`[data-ts="${ts}"]`);
      await message.getByText('succeeded').waitFor();
      expect(await message.textContent()).toContain('(edited)');
      expect(await page.getByRole('article').first().getAttribute('data-ts')).toBe(ts);
    }
  });

  it('keeps the keyboard focus at a message whose button disappears', async () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Reboot' }, action_id: 'go' };
    const ts = await slack.post([{ type: 'actions', elements: [button] }]);
    const page = await slack.open();
    await page.getByRole('button', { name: 'Reboot' }).focus();
    await page.keyboard.press('Enter');
    await slack.payload('block_actions');
    await slack.api('chat.update', { channel: 'C0OPS', ts, text: 'running', blocks: [] });
    await page.locator(`[data-ts="${ts}"]`).getByText('running').waitFor();
    const isFocused = () => page.locator(`[data-ts="${ts}"]:focus`).count();
    await until(async () => (await isFocused()) === 1);
    expect(await isFocused()).toBe(1);
  });

  it('removes deleted messages', async () => {
    const ts = await slack.post([], 'gone soon');
    const page = await slack.open();
    await slack.api('chat.delete', { channel: 'C0OPS', ts });
    await page.locator(`[data-ts="${ts}"]`).waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(0);
  });

  it('shows a private message to one person only, and says so', async () => {
    const [alice, bob] = [await slack.open(), await slack.open({ as: 'U0BOB' })];
    await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0BOB', text: 'You may not.' });
    await last(bob).getByText('Only visible to you').waitFor();
    expect(await alice.getByText('You may not.').count()).toBe(0);
  });

  it('keeps the newest in sight, unless one reads further up', async () => {
    for (let count = 0; count < 4; count += 1) await slack.post([], `line\n`.repeat(20));
    const page = await slack.open();
    const newest = await slack.post([], 'the newest');
    await page.locator(`[data-ts="${newest}"]`).waitFor();
    const bottom = () => page.getByText('the newest').isVisible();
    expect(await bottom()).toBe(true);
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -600);
    await until(async () => (await belowSight(page)) > 300);
    await slack.post([], 'while reading');
    await page.getByRole('button', { name: 'New messages' }).click();
    await page.getByRole('button', { name: 'New messages' }).waitFor({ state: 'detached' });
    expect(await page.getByText('while reading').isVisible()).toBe(true);
  });

  it('goes to the newest when one says something, and stays there when a panel makes the lines longer', async () => {
    for (let count = 0; count < 4; count += 1)
      await slack.post([], `${'long words '.repeat(30)}\n`.repeat(8));
    const page = await slack.open();
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -600);
    await until(async () => (await belowSight(page)) > 300);
    await composer(page).fill('I am here');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('I am here').waitFor();
    await until(async () => (await belowSight(page)) < 2);
    await page.getByRole('button', { name: 'Drills' }).click();
    await page.getByRole('button', { name: 'Clear all drills' }).waitFor();
    await until(async () => (await belowSight(page)) < 2);
    expect(await page.getByRole('article').getByText('I am here').isVisible()).toBe(true);
  });

  it('counts new messages in other channels', async () => {
    const page = await slack.open({ place: 'C0GENERAL' });
    await slack.post([], 'one');
    const ops = page.locator('[data-channel=C0OPS]');
    await ops.getByText('1', { exact: true }).waitFor();
    await ops.click();
    await page.getByRole('heading', { name: '# ops', level: 1 }).waitFor();
    await until(async () => (await ops.locator('.unread').count()) === 0);
    expect(await page.getByRole('article').count()).toBe(1);
  });

  it('says where to begin while #ops is empty', async () => {
    const page = await slack.open();
    await page.getByRole('button', { name: '/cloud reboot web-1' }).click();
    expect(await composer(page).inputValue()).toBe('/cloud reboot web-1');
    await page.keyboard.press('Enter');
    await until(() => slack.app.received.find(({ form }) => form['text'] === 'reboot web-1'));
  });
});

describe('a thread', () => {
  it('opens next to its channel, and takes answers', async () => {
    const ts = await slack.post([], 'parent');
    const page = await slack.open();
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Reply in thread' }).click();
    await page.getByRole('combobox', { name: 'Reply in thread' }).fill('an answer');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Thread' }).getByText('an answer').waitFor();
    await page.getByRole('button', { name: '1 reply' }).waitFor();
    expect(await page.getByRole('main').getByText('an answer').count()).toBe(0);
    expect(await messagesOf(slack, 'C0OPS')).toMatchObject([{ ts }, { thread_ts: ts, text: 'an answer' }]);
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('checkbox', { name: 'Also send to #ops' }).check();
    await thread.getByRole('combobox', { name: 'Reply in thread' }).fill('for all');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText('for all').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('shows private answers in it, and opens from the link to a reply', async () => {
    const ts = await slack.post([], 'parent');
    const inThread = { channel: 'C0OPS', thread_ts: ts };
    const { ts: reply } = await slack.api('chat.postMessage', { ...inThread, text: 'reply' });
    const page = await slack.open({ place: 'C0GENERAL' });
    const { permalink } = await slack.api('chat.getPermalink', { channel: 'C0OPS', message_ts: reply });
    await page.goto(String(permalink));
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.waitFor();
    await slack.api('chat.postEphemeral', { ...inThread, user: 'U0ALICE', text: 'psst' });
    await thread.getByText('psst').waitFor();
    expect(await thread.getByRole('article').count()).toBe(3);
    expect(await page.getByRole('main').getByText('psst').count()).toBe(0);
  });
});

describe('a message', () => {
  it('has a menu: the app’s shortcuts, and for its author to edit and delete it', async () => {
    const page = await slack.open();
    await composer(page).fill('@bob look at web-1.example.com');
    await page.keyboard.press('Enter');
    const message = last(page);
    await message.hover();
    const menu = message.getByRole('button', { name: 'Message actions' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Run on this…' }).click();
    expect((await slack.payload('message_action')).type).toBe('message_action');
    await menu.press('Enter');
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      expect.stringContaining('Run on this…'),
      expect.stringContaining('Edit message'),
      expect.stringContaining('Delete message…'),
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    expect(await field.inputValue()).toBe('@Bob look at web-1.example.com');
    await field.fill('@Bob look at *web-2*');
    await page.keyboard.press('Enter');
    await message.getByText('(edited)').waitFor();
    expect((await messagesOf(slack, 'C0OPS'))[0]?.text).toBe('<@U0BOB> look at *web-2*');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete message…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await until(async () => (await page.getByRole('article').count()) === 0);
  });

  it('takes reactions of everyone, which are switches', async () => {
    await slack.post([], 'alert');
    const [alice, bob] = [await slack.open(), await slack.open({ as: 'U0BOB' })];
    await alice.getByRole('button', { name: 'Add reaction' }).press('Enter');
    await alice.getByRole('menuitem', { name: 'eyes' }).click();
    const reaction = bob.getByRole('button', { name: 'eyes: Alice' });
    expect(await reaction.getAttribute('aria-pressed')).toBe('false');
    await reaction.click();
    await alice.getByRole('button', { name: 'eyes: Alice, Bob', pressed: true }).click();
    await bob.getByRole('button', { name: 'eyes: Bob', pressed: true }).waitFor();
  });
});
