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

const last = (page: Page) => page.getByRole('article').last();

describe('the composer', () => {
  it('offers people and groups after an @, and completes one', async () => {
    const page = await slack.open();
    await composer(page).pressSequentially('hey @b');
    const people = page.getByRole('listbox', { name: 'People and groups' }).getByRole('option');
    expect(await people.allTextContents()).toEqual([
      expect.stringContaining('@Bob'),
      expect.stringContaining('@Bellhop'),
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await composer(page).inputValue()).toBe('hey @Bellhop ');
    await page.keyboard.type('help');
    await page.keyboard.press('Enter');
    await until(() => slack.app.received.find(({ body }) => body.includes('"app_mention"')));
    expect((await messagesOf(slack, 'C0OPS'))[0]?.text).toBe('hey <@U0BELLHOP> help');
  });

  it('runs the global shortcuts of the app', async () => {
    const page = await slack.open();
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Run…' }).click();
    expect((await slack.payload('shortcut')).type).toBe('shortcut');
  });

  it('offers the commands, moves among them and completes one', async () => {
    const page = await slack.open();
    await composer(page).fill('/c');
    const commands = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    expect(await commands.allTextContents()).toEqual([
      expect.stringContaining('reboot <instance>'),
      expect.stringContaining('metrics [names…]'),
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await composer(page).inputValue()).toBe('/cdn ');
    await page.getByRole('status').getByText('metrics [names…]').waitFor();
    await page.keyboard.type('metrics 5xx');
    await page.keyboard.press('Enter');
    const told = await until(() => slack.app.received.find(({ form }) => form['command'] === '/cdn'));
    expect(told.form['text']).toBe('metrics 5xx');
  });

  it('brings back sent messages, and starts a new line with Shift', async () => {
    const page = await slack.open();
    for (const line of ['first', 'second']) {
      await composer(page).fill(line);
      await page.keyboard.press('Enter');
      await last(page).getByText(line).waitFor();
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await composer(page).inputValue()).toBe('first');
    await page.keyboard.press('ArrowDown');
    expect(await composer(page).inputValue()).toBe('second');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('more');
    expect(await composer(page).inputValue()).toBe('second\nmore');
  });

  it('gives the words back when a command is unknown, and says why', async () => {
    const page = await slack.open();
    await composer(page).fill('/clod reboot web-1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('/clod is not a valid command').waitFor();
    expect(await composer(page).inputValue()).toBe('/clod reboot web-1');
  });

  it('shows the failure of a command where it was typed', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    const page = await slack.open();
    await composer(page).fill('/cloud ips');
    await page.keyboard.press('Enter');
    await last(page).getByText('/cloud failed with the error “dispatch_failed”').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });
});
