import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { formatManifest, parseManifest } from '../../../../src/features/evidence/pack/manifest.ts';
import { launchBrowser } from '../../../browser.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { alterations } from '../alterations.ts';
import { audit, copyOf, forgedPack, logOf, packOf, rounds } from '../october.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let log: Awaited<ReturnType<typeof logOf>>;
let folder: string;
let other: string;

beforeAll(async () => {
  browser = await launchBrowser();
  log = await logOf(rounds);
  const config = join(temporaryFolder(), 'bellhop.yaml');
  writeFileSync(config, 'rules: [{ name: production, risk: read, roles: [anyone], then: allow }]\n');
  folder = join(temporaryFolder(), 'october');
  const period = ['--from', '2026-10-01', '--to', '2026-10-31'];
  await audit(['evidence', ...period, '--out', folder], { DATA_DIR: log.dataDir, BELLHOP_CONFIG: config });
  const later = rounds.map((drafts) => drafts.map((one) => ({ ...one, at: one.at + 1 })));
  ({ folder: other } = await packOf((await logOf(later)).dataDir));
});
afterAll(() => browser.close());

/** The page of the pack as a file, in a browser without a network. Any request or error fails the test. */
async function openPage(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ offline: true, ...options });
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) wrong.push(request.url());
  });
  onTestFinished(async () => {
    await page.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  return page;
}

/** Resolves to the verdict, once there is one. */
async function verdict(page: Page): Promise<{ readonly state: string; readonly text: string }> {
  const shown = page.locator('#verdict.good, #verdict.warn, #verdict.bad');
  await shown.waitFor();
  return { state: (await shown.getAttribute('class')) ?? '', text: await shown.innerText() };
}

async function give(page: Page, pack = folder) {
  await page.setInputFiles('#folder', pack);
  return verdict(page);
}

async function compare(page: Page, text: string) {
  await page.getByLabel('Paste the key that you were given').fill(text);
  await page.getByRole('button', { name: 'Compare' }).click();
}

const altered = (what: string): string => {
  const copy = copyOf(folder);
  const found = alterations.find((one) => one.what === what);
  if (!found) throw new Error(`nothing alters ${what}`);
  found.alter(copy, other);
  return copy;
};

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const rowsOf = (page: Page): Promise<readonly string[]> => page.locator('tbody tr').allInnerTexts();

describe('the page of a pack', () => {
  it('is green only once the reader has compared the key, and trusts none that is only in the pack', async () => {
    const page = await openPage();
    const found = await give(page);
    expect(found.state).toBe('warn');
    expect(found.text).toContain('Intact, but not compared');
    expect(found.text).toContain(log.key);
    await compare(page, 'bellhop+00000000+AAAA');
    await page.getByText('This is neither a whole key').waitFor();
    await compare(page, log.key);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('✓ Intact, and compared with the key that you gave');
    await compare(page, (await logOf(rounds.slice(0, 1))).key);
    await page.locator('#verdict.bad').waitFor();
    expect((await verdict(page)).text).toContain('✗ Signed by a different key than the one you gave');
    const hash = /SHA-256 ([0-9a-f]{64})/u.exec(found.text)?.[1] ?? '';
    await compare(page, hash);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('compared with the SHA-256 that you gave');
  });

  it.each([
    ['another SHA-256', () => 'ab'.repeat(32), 'bad', 'Signed by a different key than the one you gave'],
    [
      'a key with a typing error',
      () => log.key.replace(/[^+]$/u, '+'),
      'warn',
      'What you pasted is not a valid key',
    ],
    ['nothing', () => ' ', 'warn', 'Nothing is pasted.'],
    ['rubbish', () => 'rubbish', 'warn', 'This is neither a whole key'],
  ])('is green no longer once %s was compared', async (_, typed, state, said) => {
    const page = await openPage();
    await give(page);
    await compare(page, log.key);
    await page.locator('#verdict.good').waitFor();
    await compare(page, typed());
    await page.locator('#verdict').getByText(said).waitFor();
    const after = await verdict(page);
    expect(after.state).toBe(state);
    expect(after.text).not.toContain('✓');
    expect(after.text.includes('Intact, but not compared')).toBe(state === 'warn');
  });

  it('is green no longer once what was compared is edited', async () => {
    const page = await openPage();
    await give(page);
    await compare(page, log.key);
    await page.locator('#verdict.good').waitFor();
    await page.getByLabel('Paste the key that you were given').press('End');
    await page.keyboard.type('x');
    await page.locator('#verdict.warn').waitFor();
    expect((await verdict(page)).text).toContain('Intact, but not compared');
    expect(await page.getByLabel('Paste the key that you were given').inputValue()).toBe(`${log.key}x`);
  });

  it.each([
    ['with blank lines', (key: string) => `\n${key}\n\n\n`],
    ['in quotes', (key: string) => `“${key}”`],
    ['on two lines', (key: string) => `${key.slice(0, 60)}\r\n  ${key.slice(60)}`],
    ['with its SHA-256, as the page prints it', (key: string, hash: string) => `${key}\nSHA-256 ${hash}`],
    ['as “SHA-256 …”', (_: string, hash: string) => `SHA-256 ${hash}`],
    ['as a SHA-256 in upper case', (_: string, hash: string) => hash.toUpperCase()],
    ['as a SHA-256 with colons', (_: string, hash: string) => hash.replaceAll(/..(?!$)/gu, '$&:')],
    ['as a SHA-256 on two lines', (_: string, hash: string) => `${hash.slice(0, 32)}\n${hash.slice(32)}`],
  ])('takes the key %s', async (_, pasted) => {
    const page = await openPage();
    const found = await give(page);
    const hash = /SHA-256 ([0-9a-f]{64})/u.exec(found.text)?.[1] ?? '';
    await compare(page, pasted(log.key, hash));
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('✓ Intact, and compared with the ');
  });

  it('says which numbers are only hashes, green or not', async () => {
    const page = await openPage();
    const said = '6 of 31 entries (5–6, 32–35) are only hashes';
    expect((await give(page)).text).toContain(said);
    await compare(page, log.key);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain(said);
    expect(await page.locator('#limits').innerText()).toContain('6 of 31 entries are only hashes');
  });

  it('keeps what no signature covers apart, and says what to distrust', async () => {
    const page = await openPage();
    await give(page);
    const claims = await page.locator('#verdict .claims').innerText();
    expect(claims).toContain(
      'No signature covers what the maker of the pack says here: the period is 2026-10-01 to 2026-10-31',
    );
    expect(claims).toContain('No filter. The list of the rules of that day is from the maker, too.');
    expect(await page.locator('#limits').innerText()).toContain(
      'index.html and README.txt are from the maker, too',
    );
    expect(await page.getByLabel('not from this folder or page').count()).toBe(1);
  });

  it('shows names that the maker of the pack wrote apart from ids and sign-ins', async () => {
    const named = copyOf(folder);
    const changes = read('changes.csv').replaceAll('U0CAROL', 'U0CAROL (Carol)');
    writeFileSync(join(named, 'changes.csv'), changes);
    const manifest = { ...parseManifest(read('manifest.json')), names: { U0CAROL: 'Carol' } };
    writeFileSync(join(named, 'manifest.json'), formatManifest(manifest));
    const page = await openPage();
    expect((await give(page, named)).state).toBe('warn');
    const cell = page.locator('tbody tr').first().locator('[data-name="Approved by"]');
    expect(await cell.innerText()).toMatch(/^U0CAROL \(Carol\) \(https:.* carol@example\.com at .*\)$/u);
    expect(await cell.locator('.claimed').allInnerTexts()).toEqual(['(Carol)']);
    await page.getByText('The maker of the pack wrote the names in italics').waitFor();
  });

  it('prints the key and its SHA-256', async () => {
    const page = await openPage();
    await give(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(log.key).isVisible()).toBe(true);
    expect(await page.getByText(/^[0-9a-f]{64}$/u).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Compare' }).isVisible()).toBe(false);
  });

  it('takes a checkpoint that the reader kept, inside of the pack', async () => {
    const page = await openPage();
    await give(page);
    for (const name of ['checkpoints/first', 'checkpoints/last']) {
      await compare(page, log.key.replace('bellhop', 'x'));
      await page.getByText('What you pasted is not a valid key').waitFor();
      await compare(page, read(name));
      await page.locator('#verdict.good').waitFor();
    }
    expect((await verdict(page)).text).toContain('compared with the checkpoint of 35 entries that you gave');
    await compare(page, readFileSync(join(other, 'checkpoints/last'), 'utf8'));
    await page.locator('#verdict.bad').waitFor();
    expect((await verdict(page)).text).toContain('✗ From another log than the checkpoint that you gave');
    await compare(page, read('checkpoints/first').replace('\n4\n', '\n3\n'));
    await page.getByText('The checkpoint of 3 entries is outside of this pack.').waitFor();
    expect((await verdict(page)).state).toBe('warn');
  });

  it('is not green over entries that someone else signed after a checkpoint that the reader kept', async () => {
    const { folder: known, forged } = await forgedPack();
    const page = await openPage();
    await give(page, forged);
    await compare(page, readFileSync(join(known, 'checkpoints/first'), 'utf8'));
    await page.getByText('The pack continues the checkpoint of 4 entries that you gave, but none').waitFor();
    expect((await verdict(page)).state).toBe('warn');
  });

  it('shows who rebooted db-1 on a day, who approved it, and how they signed in', async () => {
    const page = await openPage();
    await give(page);
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
    const entry = readFileSync(join(folder, 'entries.jsonl'), 'utf8').split('\n')[1];
    expect(await page.locator('.timeline pre').nth(1).innerText()).toBe(entry);
  });

  it('filters by person, rule and outcome, and sorts by each column', async () => {
    const page = await openPage();
    await give(page);
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
    const page = await openPage();
    await give(page);
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

  it.each(alterations)('names $what', async ({ alter, named }) => {
    const copy = copyOf(folder);
    alter(copy, other);
    const page = await openPage();
    const found = await give(page, copy);
    expect(found.text).toContain(named);
    expect(found.state).toBe('bad');
    expect(found.text.includes('changes.csv')).toBe(named.startsWith('changes.csv'));
  });

  it('shows no entry as a step that the checkpoints did not sign', async () => {
    const copy = copyOf(folder);
    alterations.find(({ what }) => what === 'an entry with its hash')?.alter(copy, other);
    const page = await openPage();
    await give(page, copy);
    await page.getByRole('button', { name: 'cloud.reboot db-1' }).first().click();
    await page.getByText('Entry 7 has not been verified, so it is not shown.').waitFor();
    expect(await page.locator('.timeline').innerText()).not.toContain('U0MALLORY');
  });

  it('shows a row that was altered as its entries say it, and marks it', async () => {
    const copy = copyOf(folder);
    alterations[0]?.alter(copy, other);
    const page = await openPage();
    await give(page, copy);
    expect(await page.locator('tr.altered').allInnerTexts()).toEqual([
      expect.stringMatching(/altered in changes\.csv[^]*U0CAROL/u),
    ]);
    await compare(page, log.key);
    await page.getByText('Its last checkpoint belongs to the log that you compared it with.').waitFor();
  });

  it('counts what is unusual by the entries, whatever the table says', async () => {
    const page = await openPage();
    await give(page, altered('a cell emptied'));
    await page.getByRole('button', { name: '1 by break-glass' }).click();
    const [row = ''] = await rowsOf(page);
    expect(row).toContain('break-glass: no one answers');
  });

  it.each([
    ['a row deleted', 'missing or out of place in changes.csv', '6 of 6 changes', ''],
    ['a row invented', 'of no entry in this pack', '7 of 7 changes', '1 change is not counted'],
    ['an entry', 'not verified', '6 of 6 changes', '1 change is not counted'],
    ['a reason that a row has, too', 'not verified', '6 of 6 changes', '1 change is not counted'],
  ])('marks what is wrong after %s', async (what, mark, count, uncounted) => {
    const page = await openPage();
    await give(page, altered(what));
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
    const page = await openPage();
    await give(page, altered(what));
    await page.getByText('None of these rows is proved').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(6);
    const unusual = await page.locator('#unusual').innerText();
    expect(unusual).toContain('None of the changes is proved, so none is counted.');
    expect(unusual).not.toContain('names no rules');
    expect(await page.locator('#limits li').count()).toBeGreaterThan(3);
    expect(await page.locator('#limits').innerText()).toContain(limit);
  });

  it('marks all rows as not verified if another key signed them', async () => {
    const page = await openPage();
    expect((await give(page)).text).toContain('of a log that calls itself bellhop-audit/');
    await compare(page, (await logOf(rounds.slice(0, 1))).key);
    await page.locator('#verdict.bad').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(6);
    await page.getByText('None of these rows is proved').waitFor();
    expect((await verdict(page)).text).toContain('of a log that calls itself bellhop-audit/');
    await compare(page, log.key);
    await page.locator('#verdict.good').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(0);
    expect((await verdict(page)).text).toContain('entries, of the log bellhop-audit/');
  });

  it('says where the pack starts, and claims no more than what its entries say', async () => {
    const page = await openPage();
    const start =
      "The pack starts at entry 5. Entries 1 to 4 are not in it, and the pack can't show whether they belong to this period. The period starts on 2026-10-01, and the first entry shown is from 2026-10-05 09:00:00 UTC.";
    const { text } = await give(page);
    expect(text).toContain(start);
    expect(text).toContain(
      'Each row matches its entries in this pack, and no number from 5 to 35 is missing.',
    );
    expect(text).toContain('such as a denial, a break-glass or a settlement');
    expect(await page.locator('#limits').innerText()).toContain(start);
  });

  it('says that no change fits a filter, on paper, too, and shows the verdict once', async () => {
    const page = await openPage();
    await give(page);
    await page.getByLabel('Person').fill('someone');
    await page.emulateMedia({ media: 'print' });
    const said = page.getByText('0 of 6 changes (person: someone). No change fits.');
    expect(await said.isVisible()).toBe(true);
    expect(await page.locator('#status').evaluate((shown) => shown.getBoundingClientRect().height)).toBe(1);
  });

  it('takes a folder that is dropped', async () => {
    const page = await openPage();
    const client = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await client.send('Input.dispatchDragEvent', { type, x: 200, y: 160, data });
    expect((await verdict(page)).state).toBe('warn');
  });

  it('says which folder it needs', async () => {
    const page = await openPage();
    await page.setInputFiles('#folder', join(folder, 'proofs'));
    const said = page.getByText('This folder has no manifest.json');
    await said.waitFor();
    expect(await said.getAttribute('role')).toBe('status');
  });

  it('is used with the keyboard alone', async () => {
    const page = await openPage();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('folder');
    await give(page);
    const reach = async (name: string): Promise<void> => {
      for (let tries = 0; tries < 60; tries += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>('document.activeElement.textContent')) === name) return;
      }
      throw new Error(`${name} is not reached`);
    };
    await reach('Compare');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.insertText(log.key);
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
      const page = await openPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      const check = async (): Promise<void> => {
        await page.evaluate(axeSource);
        const found = violations.parse(
          await page.evaluate<unknown>('axe.run().then((result) => result.violations)'),
        );
        expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      };
      await check();
      const copy = copyOf(folder);
      alterations[0]?.alter(copy, other);
      await give(page, copy);
      await page.getByRole('button', { name: 'cloud.reboot db-1' }).first().click();
      await page.locator('.timeline li').first().waitFor();
      await check();
      await page.screenshot({
        path: join(process.env['SHOTS'] ?? temporaryFolder(), `${colorScheme}-${width}.png`),
        fullPage: true,
      });
      await give(page, folder);
      await compare(page, log.key);
      await page.locator('#verdict.good').waitFor();
      await check();
    },
  );

  it('admits no code but its own', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(html).toMatch(
      /content="default-src 'none'; form-action 'none'; base-uri 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'"/u,
    );
    expect(html.match(/<script/gu)).toHaveLength(1);
  });
});
