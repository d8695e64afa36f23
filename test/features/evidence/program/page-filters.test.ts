import { describe, expect, it } from 'vitest';

import { rowsOf, usePacks } from '../opened-page.ts';

const packs = usePacks();

describe('the filters on the page of a pack', () => {
  it('filters by person, rule and outcome, and sorts by each column', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    await page.getByLabel('Person').fill('u0bob');
    await page.getByText('2 of 6 changes').waitFor();
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByText('1 of 6 changes').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Rule').selectOption('rule “staging”');
    await page.getByText('3 of 6 changes').waitFor();
    await page.getByRole('button', { name: 'Outcome', exact: true }).click();
    expect((await rowsOf(page)).map((row) => /cancelled|succeeded|unknown/u.exec(row)?.[0])).toEqual([
      'cancelled',
      'succeeded',
      'succeeded',
    ]);
    await page.getByRole('button', { name: 'Outcome', exact: true }).click();
    expect(await page.locator('th[aria-sort="descending"]').innerText()).toBe('Outcome');
  });

  it('has what is unusual at the top, and shows it', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    const titles = (await page.locator('#unusual li').allInnerTexts()).map((title) => title.slice(0, 50));
    expect(titles).toEqual(
      [
        '1 by break-glass',
        '0 by break-glass, review not closed',
        '2 that ran without an approval',
        '0 with an unknown outcome',
        '1 settled after an unknown outcome',
        '1 settled by a person who approved it',
        '3 under a rule that no longer existed when the pack was made (as its maker says)',
      ].map((title) => title.slice(0, 50)),
    );
    await page.getByRole('button', { name: '1 by break-glass' }).click();
    await page.getByText('1 of 6 changes').waitFor();
    expect((await rowsOf(page))[0]).toContain('break-glass: no one answers');
  });

  it('counts what is unusual by the entries, whatever the table says', async () => {
    const page = await packs.openPage();
    await packs.give(page, packs.altered('a cell emptied'));
    await page.getByRole('button', { name: '1 by break-glass' }).click();
    const [row = ''] = await rowsOf(page);
    expect(row).toContain('break-glass: no one answers');
  });

  it('says that no change fits a filter, on paper, too, and shows the verdict once', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    await page.getByLabel('Person').fill('someone');
    await page.emulateMedia({ media: 'print' });
    const said = page.getByText('0 of 6 changes (person: someone). No change matches.');
    expect(await said.isVisible()).toBe(true);
    expect(await page.locator('#status').evaluate((shown) => shown.getBoundingClientRect().height)).toBe(1);
  });
});
