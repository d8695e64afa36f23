import { describe, expect, it } from 'vitest';
import { type Pages, openPagesForEach } from './open-pages.ts';
import { ATTACHMENT, GROUPS } from './sample-blocks.ts';

let slack: Pages;
openPagesForEach((opened) => {
  slack = opened;
});

describe('blocks that hold others', () => {
  it.each([
    ['of a card', 'Look at web-1', { type: 'button', action_id: 'look-web-1' }],
    ['of a card in a carousel', 'Look at web-3', { type: 'button', action_id: 'look-web-3' }],
    ['in a container', 'Press inside', { type: 'button', action_id: 'inside' }],
    ['of feedback', 'Not helpful', { type: 'feedback_buttons', action_id: 'opinion', value: 'bad' }],
    ['with an icon', 'Delete', { type: 'icon_button', action_id: 'drop' }],
  ])('tell the app of a button %s', async (_name, name, action) => {
    await slack.post(GROUPS);
    const page = await slack.open();
    await page.getByRole('button', { name }).click();
    expect(await slack.action()).toMatchObject(action);
  });

  it('are all drawn, a collapsible container until someone closes it', async () => {
    await slack.post(GROUPS);
    const page = await slack.open();
    await page.getByRole('link', { name: 'How to reboot' }).waitFor();
    await page.getByText('Below the line').waitFor();
    await page.getByRole('img', { name: 'rocket' }).waitFor();
    expect(await page.getByText('is not drawn here').count()).toBe(0);
    const inside = page.getByText('Inside', { exact: true });
    await inside.waitFor();
    await page.locator('summary', { hasText: 'Details' }).click();
    await inside.waitFor({ state: 'hidden' });
  });
});

describe('attachments', () => {
  it('are shown below what a message says, and alone', async () => {
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'Look here', attachments: [ATTACHMENT] });
    const page = await slack.open();
    const message = page.getByRole('article').filter({ hasText: 'Look here' });
    await message.getByRole('link', { name: 'web-1 is down' }).waitFor();
    await message.getByText('Luxembourg-2').waitFor();
    await slack.api('chat.postMessage', { channel: 'C0OPS', attachments: [{ fallback: 'Alone' }] });
    await page.getByText('Alone').waitFor();
    expect(await page.locator('.attachment').count()).toBe(2);
  });
});
