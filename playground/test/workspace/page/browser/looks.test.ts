import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Pages, openPagesForEach } from './open-pages.ts';
import { ALERT, ATTACHMENT, CARD, CHARTS, DATA_TABLE, GROUPS, PIE, WORDS } from './sample-blocks.ts';

let slack: Pages;
openPagesForEach((opened) => {
  slack = opened;
});

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const findingsSchema = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    nodes: z.array(z.looseObject({ html: z.string() })),
  }),
);

/** In the light theme, axe checks everything. In the dark theme, it checks what a theme changes. */
const rulesOf = { light: {}, dark: { runOnly: ['color-contrast', 'link-in-text-block'] } };

/** The serious and critical findings of axe, each with its first place. */
async function findings(page: Page, theme: keyof typeof rulesOf): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = findingsSchema.parse(
    await page.evaluate<unknown>(
      `axe.run(${JSON.stringify(rulesOf[theme])}).then((result) => result.violations)`,
    ),
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function fill(): Promise<void> {
  await slack.gesture('send', {
    text: 'Is *web-1* slow? <@U0BOB>\n> yes\n```code```',
    channel: 'C0OPS',
    as: 'U0CAROL',
  });
  await slack.post(CARD);
  await slack.post(WORDS);
  await slack.post([DATA_TABLE]);
  await slack.post(CHARTS.slice(0, 1));
  await slack.post(GROUPS);
  await slack.api('chat.postMessage', { channel: 'C0OPS', attachments: [ATTACHMENT] });
  await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'You may not.' });
}

const modal = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Form' },
  submit: { type: 'plain_text', text: 'Save' },
  blocks: [
    ALERT,
    ...['plain_text_input', 'datepicker', 'multi_users_select', 'file_input'].map((type) => ({
      type: 'input',
      label: { type: 'plain_text', text: `A ${type}` },
      hint: { type: 'plain_text', text: 'A hint' },
      element: { type, action_id: type },
    })),
  ],
};

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('messages, drills and a form with errors are accessible', async () => {
    await fill();
    const page = await slack.open({ colorScheme });
    await page.locator('canvas[data-state=drawn]').waitFor();
    expect(await findings(page, colorScheme)).toEqual([]);
    await page.getByRole('combobox', { name: 'Message #ops' }).fill('/');
    expect(await findings(page, colorScheme)).toEqual([]);
    await slack.openModal(page, modal);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
    expect(await findings(page, colorScheme)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Drills/ }).click();
    await page.getByRole('complementary', { name: 'Drill panel' }).waitFor();
    expect(await findings(page, colorScheme)).toEqual([]);
  });

  it('a thread, reactions, a menu and an edit are accessible', async () => {
    const ts = await slack.post([], 'alert');
    await slack.gesture('send', { channel: 'C0OPS', text: 'looking', thread_ts: ts });
    for (const as of ['U0ALICE', 'U0BOB'])
      await slack.gesture('react', { channel: 'C0OPS', ts, name: 'eyes', as });
    const page = await slack.open({ colorScheme });
    await page.getByRole('button', { name: '1 reply' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('looking').hover();
    await thread.getByRole('article').last().getByRole('button', { name: 'Message actions' }).click();
    expect(await findings(page, colorScheme)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Edit message' }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).waitFor();
    expect(await findings(page, colorScheme)).toEqual([]);
  });
});

it('the page fits a phone, without anything to the side', async () => {
  await fill();
  const page = await slack.open({ viewport: { width: 390, height: 844 } });
  await page.locator('canvas[data-state=drawn]').waitFor();
  const overhang =
    'document.documentElement.scrollWidth - innerWidth + document.querySelector("[role=log]").scrollWidth - document.querySelector("[role=log]").clientWidth';
  expect(await page.evaluate<number>(overhang)).toBe(0);
  await page.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('link', { name: '# general' }).click();
  await page.getByRole('heading', { name: '# general', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Drills/ }).click();
  await page.getByRole('complementary').waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});

describe('the theme', () => {
  it('follows the machine until someone turns it over, and remembers that', async () => {
    const page = await slack.open({ colorScheme: 'dark' });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(27, 28, 32)');
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).waitFor();
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.reload();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).waitFor();
    expect(await background()).toBe('rgb(255, 255, 255)');
  });
});

/** Pixels in the colour of the first series: lines, bars or slices, more than the square of a legend. */
const INKED = `(() => {
  const canvas = document.querySelector('canvas');
  const wanted = getComputedStyle(canvas).getPropertyValue('--chart-1').match(/\\d+/g).map(Number);
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 200 && wanted.every((part, index) => Math.abs(part - data[at + index]) < 12)) found += 1;
  }
  return found;
})()`;

describe('a chart', () => {
  it.each([...CHARTS, PIE])('is drawn: $title', async (chart) => {
    await slack.post([chart]);
    const page = await slack.open();
    const canvas = page.locator('canvas[data-state=drawn]');
    await canvas.waitFor();
    expect(await canvas.getAttribute('aria-label')).toContain(chart.title);
    expect(await page.evaluate<number>(INKED)).toBeGreaterThan(400);
    await page.getByText('Show the numbers').click();
    expect(await page.getByRole('group', { name: 'Numbers of' }).getByRole('row').count()).toBeGreaterThan(3);
  });
});

describe('a data table', () => {
  it('is sorted by its columns as numbers, and paged', async () => {
    await slack.post([DATA_TABLE]);
    const page = await slack.open();
    const table = page.getByRole('table', { name: 'Capacity by country' });
    const column = () => table.getByRole('rowheader').allTextContents();
    expect(await column()).toEqual(['LU', 'US']);
    await table.getByRole('button', { name: 'Gbit/s' }).click();
    expect(await column()).toEqual(['LU', 'DE']);
    await table.getByRole('button', { name: 'Gbit/s' }).press('Enter');
    expect(await column()).toEqual(['US', 'DE']);
    expect(await table.getByRole('columnheader', { name: 'Gbit/s' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await column()).toEqual(['LU']);
    await page.getByText('Page 2 of 2 · 3 rows').waitFor();
  });
});

describe('text in a message', () => {
  it('runs no script, and links only to web addresses', async () => {
    const hostile =
      '<javascript:alert(1)|press> <data:text/html,x|press> &lt;img src=x onerror=alert(1)&gt; <https://example.org|fine>';
    await slack.post([{ type: 'section', text: { type: 'mrkdwn', text: hostile } }], hostile);
    await slack.post([
      { type: 'markdown', text: '[press](javascript:alert(1)) <img src=x onerror=alert(1)>' },
    ]);
    const page = await slack.open();
    await page.getByRole('article').nth(1).waitFor();
    const links = await page.locator('article a').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://example.org/',
    ]);
    expect(await links[0]?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await page.locator('article img').count()).toBe(0);
    expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBe(2);
  });
});
