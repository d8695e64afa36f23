import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { formatManifest, parseManifest } from '../../../../src/features/evidence/pack/manifest.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { copyOf } from '../october.ts';
import { compare, rowsOf, usePacks } from '../opened-page.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const packs = usePacks();

describe('the changes on the page of a pack', () => {
  it('shows names that the maker of the pack wrote apart from ids and sign-ins', async () => {
    const named = copyOf(packs.folder);
    const changes = packs.read('changes.csv').replaceAll('U0CAROL', 'U0CAROL (Carol)');
    writeFileSync(join(named, 'changes.csv'), changes);
    const manifest = { ...parseManifest(packs.read('manifest.json')), names: { U0CAROL: 'Carol' } };
    writeFileSync(join(named, 'manifest.json'), formatManifest(manifest));
    const page = await packs.openPage();
    expect((await packs.give(page, named)).state).toBe('warn');
    const cell = page.locator('tbody tr').first().locator('[data-name="Approved by"]');
    expect(await cell.innerText()).toMatch(/^U0CAROL \(Carol\) \(https:.* carol@example\.com at .*\)$/u);
    expect(await cell.locator('.claimed').allInnerTexts()).toEqual(['(Carol)']);
    await page.getByText('The maker of the pack wrote the names in italics').waitFor();
  });

  it('prints the verdict, and whole rows of one table', async () => {
    const page = await packs.openPage({ viewport: { width: 700, height: 900 } });
    await packs.give(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#verdict-title').isVisible()).toBe(true);
    const styles = await page.evaluate(
      `['tbody tr', 'tbody td', 'thead tr'].map((name) => getComputedStyle(document.querySelector(name))).map(({ display, breakInside }) => display + ' ' + breakInside)`,
    );
    expect(styles).toEqual(['table-row avoid', 'table-cell auto', 'table-row avoid']);
    expect((await page.pdf()).subarray(0, 4).toString()).toBe('%PDF');
  });

  it('shows who rebooted db-1 on a day, who approved it, and how they signed in', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    await page.getByLabel('Target').fill('db-1');
    await page.getByLabel('Day').fill('2026-10-05');
    await page.getByText('1 of 6 changes').waitFor();
    const [row = ''] = await rowsOf(page);
    expect(row).toContain('U0ALICE');
    expect(row).toContain(
      'U0CAROL (https://login.example.com carol@example.com at 2026-10-05T08:00:00.000Z)',
    );
    expect(row).toContain('unknown; U0CAROL said on 2026-11-01 that it ran');
    await page.getByRole('button', { name: 'cloud.reboot db-1' }).click();
    await page.locator('.timeline > li').first().waitFor();
    const steps = await page.locator('.timeline > li').allInnerTexts();
    expect(steps.map((step) => step.replace(/\s+/gu, ' '))).toEqual([
      '2026-10-05 09:00:00 U0ALICE requested /cloud reboot db-1: “=HYPERLINK("x"), "twice" and more” Entry 7',
      '2026-10-05 09:01:00 U0CAROL approved it, signed in at https://login.example.com as carol@example.com (that sign-in was at 2026-10-05 08:00:00) Entry 8',
      '2026-10-05 09:02:00 Bellhop started it Entry 9',
      '2026-10-05 09:03:00 It has an unknown outcome Entry 10',
      '2026-11-01 09:00:00 U0CAROL settled it as “ran”: “it was rebooted” Entry 30',
    ]);
    await page.getByText('Entry 8', { exact: true }).click();
    const entry = packs.read('entries.jsonl').split('\n')[1];
    expect(await page.locator('.timeline pre').nth(1).innerText()).toBe(entry);
  });

  it('shows no entry as a step that the checkpoints did not sign', async () => {
    const page = await packs.openPage();
    await packs.give(page, packs.altered('an entry with its hash'));
    await page.getByRole('button', { name: 'cloud.reboot db-1' }).first().click();
    await page.getByText('Entry 7 has not been verified, so it is not shown.').waitFor();
    expect(await page.locator('.timeline').innerText()).not.toContain('U0MALLORY');
  });

  it('shows a row that was altered as its entries say it, and marks it', async () => {
    const page = await packs.openPage();
    await packs.give(page, packs.altered('a row: another approver'));
    expect(await page.locator('tr.altered').allInnerTexts()).toEqual([
      expect.stringMatching(/altered in changes\.csv[^]*U0CAROL/u),
    ]);
    await compare(page, packs.log.key);
    await page.getByText('Its last checkpoint belongs to the log that you compared it with.').waitFor();
  });

  it.each([
    ['a row deleted', 'missing or out of place in changes.csv', '6 of 6 changes', ''],
    ['a row invented', 'not in the entries of this pack', '7 of 7 changes', '1 change is not counted'],
    ['an entry', 'not verified', '6 of 6 changes', '1 change is not counted'],
    ['a reason that a row has, too', 'not verified', '6 of 6 changes', '1 change is not counted'],
  ])('marks what is wrong after %s', async (what, mark, count, uncounted) => {
    const page = await packs.openPage();
    await packs.give(page, packs.altered(what));
    await page.getByText(count).waitFor();
    expect(await page.locator('tr.altered .tag').allInnerTexts()).toContainEqual(
      expect.stringContaining(mark),
    );
    expect(await page.locator('#unusual').innerText()).toContain(uncounted);
    expect(await page.locator('tr.altered').count()).toBe(what === 'a row invented' ? 2 : 1);
  });

  it.each([
    ['an entry with its hash', ''],
    ['the count', 'manifest.json could not be read'],
    ['a checkpoint', ''],
    ['a file removed', ''],
  ])('marks all rows as not verified after %s', async (what, limit) => {
    const page = await packs.openPage();
    await packs.give(page, packs.altered(what));
    await page.getByText('No entry proves these rows').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(6);
    const unusual = await page.locator('#unusual').innerText();
    expect(unusual).toContain('No entry proves any of the changes, so none is counted.');
    expect(unusual).not.toContain('names no rules');
    expect(await page.locator('#limits li').count()).toBeGreaterThan(3);
    expect(await page.locator('#limits').innerText()).toContain(limit);
  });

  it('is used with the keyboard alone', async () => {
    const page = await packs.openPage();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('folder');
    await packs.give(page);
    const reach = async (name: string): Promise<void> => {
      for (let tries = 0; tries < 60; tries += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>('document.activeElement.textContent')) === name) return;
      }
      throw new Error(`${name} is not reached`);
    };
    await reach('Compare');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.insertText(packs.log.key);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#verdict.good').waitFor();
    await reach('1 by break-glass');
    await page.keyboard.press('Space');
    await reach('cloud.reboot db-1');
    await page.keyboard.press('Enter');
    await page.locator('.timeline li').first().waitFor();
  });

  const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 1010],
    ['light', 800],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'has nothing that axe finds, %s, %d wide, and does not scroll sideways',
    async (colorScheme, width) => {
      const page = await packs.openPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      const check = async (): Promise<void> => {
        await page.evaluate(axeSource);
        const found = violations.parse(
          await page.evaluate<unknown>('axe.run().then((result) => result.violations)'),
        );
        expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      };
      await check();
      await packs.give(page, packs.altered('a row: another approver'));
      await page.getByRole('button', { name: 'cloud.reboot db-1' }).first().click();
      await page.locator('.timeline li').first().waitFor();
      await check();
      await page.screenshot({
        path: join(process.env['SHOTS'] ?? temporaryFolder(), `${colorScheme}-${width}.png`),
        fullPage: true,
      });
      await packs.give(page);
      await compare(page, packs.log.key);
      await page.locator('#verdict.good').waitFor();
      await check();
    },
  );
});
