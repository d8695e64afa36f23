import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../../test/until.ts';
import { readPayload, type Pages, openPagesForEach } from './open-pages.ts';

let slack: Pages;
let page: Page;
openPagesForEach((opened) => {
  slack = opened;
});

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (text: string) => ({ text: plain(text), value: text });
const OPTIONS = ['web-1', 'web-2', 'db-1'].map(option);
const placeholder = plain('Pick');

/** An element, a person's action on it, and the payload for the app. */
const MOUSE: [string, object, (on: Page) => Promise<unknown>, object][] = [
  [
    'a button',
    { type: 'button', text: plain('Reboot'), value: 'r-1' },
    (on) => on.getByRole('button', { name: 'Reboot' }).click(),
    { type: 'button', value: 'r-1' },
  ],
  [
    'a static select',
    { type: 'static_select', placeholder, options: OPTIONS },
    async (on) => {
      await on.getByRole('combobox', { name: 'Pick' }).click();
      await on.getByRole('option', { name: 'web-2' }).click();
    },
    { selected_option: { value: 'web-2' } },
  ],
  [
    'a select of several',
    { type: 'multi_static_select', placeholder, options: OPTIONS },
    async (on) => {
      await on.getByRole('combobox', { name: 'Pick' }).click();
      await on.getByRole('option', { name: 'db-1' }).click();
    },
    { selected_options: [{ value: 'db-1' }] },
  ],
  [
    'a select of people',
    { type: 'users_select', placeholder },
    async (on) => {
      await on.getByRole('combobox', { name: 'Pick' }).click();
      await on.getByRole('option', { name: 'Carol lead' }).click();
    },
    { selected_user: 'U0CAROL' },
  ],
  [
    'a select of channels',
    { type: 'channels_select', placeholder },
    async (on) => {
      await on.getByRole('combobox', { name: 'Pick' }).click();
      await on.getByRole('option', { name: '#general' }).click();
    },
    { selected_channel: 'C0GENERAL' },
  ],
  [
    'a select of several conversations',
    { type: 'multi_conversations_select', placeholder },
    async (on) => {
      await on.getByRole('combobox', { name: 'Pick' }).click();
      await on.getByRole('option', { name: '#ops' }).click();
    },
    { selected_conversations: ['C0OPS'] },
  ],
  [
    'an overflow menu',
    { type: 'overflow', options: OPTIONS },
    async (on) => {
      await on.getByRole('button', { name: 'More actions' }).click();
      await on.getByRole('menuitem', { name: 'web-1' }).click();
    },
    { selected_option: { value: 'web-1' } },
  ],
  [
    'checkboxes',
    { type: 'checkboxes', options: OPTIONS, initial_options: [option('web-1')] },
    (on) => on.getByRole('checkbox', { name: 'db-1' }).click(),
    { selected_options: [{ value: 'web-1' }, { value: 'db-1' }] },
  ],
  [
    'radio buttons',
    { type: 'radio_buttons', options: OPTIONS },
    (on) => on.getByRole('radio', { name: 'web-2' }).click(),
    { selected_option: { value: 'web-2' } },
  ],
  [
    'a date picker',
    { type: 'datepicker', placeholder },
    (on) => on.getByLabel('Pick').fill('2026-11-21'),
    { selected_date: '2026-11-21' },
  ],
  [
    'a time picker',
    { type: 'timepicker', placeholder },
    (on) => on.getByLabel('Pick').fill('22:15'),
    { selected_time: '22:15' },
  ],
  [
    'a date and time picker',
    { type: 'datetimepicker' },
    (on) => on.getByLabel('Date and time').fill('2026-11-21T22:15'),
    { selected_date_time: Math.round(new Date(2026, 10, 21, 22, 15).getTime() / 1000) },
  ],
];

/** The same with the keyboard alone, from the message on. */
const KEYBOARD: [string, object, string[], object][] = [
  ['a button', { type: 'button', text: plain('Reboot'), value: 'r-1' }, ['Enter'], { value: 'r-1' }],
  [
    'a static select',
    { type: 'static_select', placeholder, options: OPTIONS },
    ['ArrowDown', 'ArrowDown', 'Enter'],
    { selected_option: { value: 'web-2' } },
  ],
  [
    'a select, by typing',
    { type: 'static_select', placeholder, options: OPTIONS },
    ['d', 'b', 'Enter'],
    { selected_option: { value: 'db-1' } },
  ],
  [
    'a select of several, taking one away',
    { type: 'multi_static_select', placeholder, options: OPTIONS, initial_options: OPTIONS },
    ['Tab', 'Tab', 'Tab', 'Backspace'],
    { selected_options: [{ value: 'web-1' }, { value: 'web-2' }] },
  ],
  [
    'an overflow menu',
    { type: 'overflow', options: OPTIONS },
    ['Enter', 'ArrowDown', 'Enter'],
    { selected_option: { value: 'web-2' } },
  ],
  [
    'checkboxes',
    { type: 'checkboxes', options: OPTIONS },
    ['Space'],
    { selected_options: [{ value: 'web-1' }] },
  ],
  [
    'radio buttons',
    { type: 'radio_buttons', options: OPTIONS },
    ['Space'],
    { selected_option: { value: 'web-1' } },
  ],
  [
    'a time picker, told when the field is left',
    { type: 'timepicker', placeholder },
    ['1', '0', '3', '0', 'P', 'Enter'],
    { selected_time: '22:30' },
  ],
];

const actions = (element: object) => [
  { type: 'actions', block_id: 'b', elements: [{ action_id: 'a', ...element }] },
];

describe('by mouse, the app hears of', () => {
  it.each(MOUSE)('%s', async (_name, element, use, told) => {
    await slack.post(actions(element));
    page = await slack.open();
    await use(page);
    const action = await slack.action();
    expect(action).toMatchObject({ action_id: 'a', block_id: 'b', ...told });
  });
});

describe('by keyboard alone, the app hears of', () => {
  it.each(KEYBOARD)('%s', async (_name, element, keys, told) => {
    await slack.post(actions(element));
    page = await slack.open();
    await page.getByRole('log').focus();
    await page.keyboard.press('Tab');
    for (let step = 0; step < 8 && !(await isFocused(page)); step += 1) await page.keyboard.press('Tab');
    for (const key of keys) await page.keyboard.press(key);
    const action = await slack.action();
    expect(action).toMatchObject({ action_id: 'a', ...told });
  });
});

async function isFocused(on: Page): Promise<boolean> {
  return (await on.locator('[data-block] :focus').count()) > 0;
}

describe('Enter while an input method composes a word', () => {
  const composing = { key: 'Enter', isComposing: true };

  it('sends no half of a message', async () => {
    page = await slack.open();
    const composer = page.getByRole('combobox', { name: /^Message/ });
    await composer.fill('にほ');
    await composer.dispatchEvent('keydown', composing);
    expect(await composer.inputValue()).toBe('にほ');
  });

  it('sends no half of a text', async () => {
    const element = {
      type: 'plain_text_input',
      action_id: 'a',
      dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
    };
    await slack.post([
      { type: 'input', block_id: 'b', label: plain('Name'), dispatch_action: true, element },
    ]);
    page = await slack.open();
    const field = page.getByRole('textbox', { name: 'Name' });
    await field.fill('にほ');
    await field.dispatchEvent('keydown', composing);
    await field.fill('にほん');
    await field.press('Enter');
    expect(await slack.action()).toMatchObject({ action_id: 'a', value: 'にほん' });
  });

  it('picks nothing', async () => {
    await slack.post(actions({ type: 'static_select', placeholder, options: OPTIONS }));
    page = await slack.open();
    const select = page.getByRole('combobox', { name: 'Pick' });
    await select.click();
    await page.getByRole('option', { name: 'web-1' }).waitFor();
    await select.dispatchEvent('keydown', composing);
    await select.press('ArrowDown');
    await select.press('Enter');
    expect(await slack.action()).toMatchObject({ selected_option: { value: 'web-2' } });
  });
});

describe('a select that loads', () => {
  const element = { type: 'external_select', placeholder, min_query_length: 2 };

  it('asks for what was typed, and shows it', async () => {
    slack.app.answer = (received, response) => {
      const { type, value } = readPayload(received.payload);
      const asked = type === 'block_suggestion' ? { options: [option(`${value}-5xx`)] } : '';
      response.setHeader('content-type', 'application/json').end(JSON.stringify(asked));
    };
    await slack.post(actions(element));
    page = await slack.open();
    await page.getByRole('combobox', { name: 'Pick' }).click();
    await page.getByText('Type 2 letters or more').waitFor();
    await page.keyboard.type('edge');
    await page.getByRole('option', { name: 'edge-5xx' }).click();
    const action = await slack.action();
    expect(action).toMatchObject({ selected_option: { value: 'edge-5xx' } });
    expect(await page.getByRole('combobox', { name: 'Pick' }).inputValue()).toBe('edge-5xx');
  });

  it('says so when nothing comes', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    await slack.post(actions(element));
    page = await slack.open();
    await page.getByRole('combobox', { name: 'Pick' }).fill('edge');
    await page
      .locator('.choice-note')
      .filter({ hasNotText: /Loading|Type/ })
      .waitFor();
    expect(await page.locator('.choice-note').textContent()).toMatch(/\w/);
  });
});

describe('a button', () => {
  const button = { type: 'button', action_id: 'a', text: plain('Reboot'), style: 'danger' };

  it('shows that the click arrived until the app acknowledges, and sends a second click too', async () => {
    const waiting: (() => void)[] = [];
    slack.app.answer = (_received, response) => void waiting.push(() => response.end());
    await slack.post(actions(button));
    page = await slack.open();
    const reboot = page.getByRole('button', { name: 'Reboot' });
    await reboot.click();
    await page.locator('button[aria-busy=true]', { hasText: 'Reboot' }).waitFor();
    await reboot.click();
    await until(() => waiting.length === 2);
    for (const answer of waiting) answer();
    await page.locator('button:not([aria-busy])', { hasText: 'Reboot' }).waitFor();
    expect(slack.app.received).toHaveLength(2);
  });

  it('asks its own question first, and takes Esc for no', async () => {
    const confirm = {
      title: plain('Reboot?'),
      text: plain('It is gone for a minute.'),
      confirm: plain('Do it'),
      deny: plain('No'),
      style: 'danger',
    };
    await slack.post(actions({ ...button, confirm }));
    page = await slack.open();
    const reboot = page.getByRole('button', { name: 'Reboot' });
    await reboot.click();
    expect(await page.getByRole('alertdialog').getByRole('button').allTextContents()).toEqual([
      'No',
      'Do it',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await page.locator('button:focus').textContent()).toContain('Reboot');
    expect(slack.app.received).toEqual([]);
    await reboot.click();
    await page.getByRole('button', { name: 'Do it' }).click();
    expect(await slack.payload('block_actions')).toBeDefined();
  });

  it('with a url opens it elsewhere and tells the app as well', async () => {
    await slack.post(actions({ ...button, text: plain('Runbook'), url: `${slack.workspace.url}/icon.svg` }));
    page = await slack.open();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Runbook' }).click(),
    ]);
    expect(opened.url()).toContain('/icon.svg');
    expect(await opened.evaluate<unknown>('window.opener')).toBeNull();
    expect(await slack.payload('block_actions')).toBeDefined();
  });

  it('says so when the app does not answer well', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    await slack.post(actions(button));
    page = await slack.open();
    await page.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('alert').getByText('dispatch_failed').waitFor();
    expect(await page.locator('button[aria-busy=true]').count()).toBe(0);
  });
});
