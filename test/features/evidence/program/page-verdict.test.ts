import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { alterations } from '../alterations.ts';
import { copyOf, forgedPack, logOf, rounds } from '../october.ts';
import { compare, usePacks, verdict } from '../opened-page.ts';

const packs = usePacks();

describe('the verdict on the page of a pack', () => {
  it('is green only once the reader has compared the key, and trusts none that is only in the pack', async () => {
    const page = await packs.openPage();
    const found = await packs.give(page);
    expect(found.state).toBe('warn');
    expect(found.text).toContain('Intact, but not compared');
    expect(found.text).toContain(packs.log.key);
    await compare(page, 'bellhop+00000000+AAAA');
    await page.getByText('This is neither a whole key').waitFor();
    await compare(page, packs.log.key);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('✓ Intact, and compared with the key that you gave');
    await compare(page, (await logOf(rounds.slice(0, 1))).key);
    await page.locator('#verdict.bad').waitFor();
    expect((await verdict(page)).text).toContain('✗ Signed by a different key than the key that you gave');
    const hash = /SHA-256 ([0-9a-f]{64})/u.exec(found.text)?.[1] ?? '';
    await compare(page, hash);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('compared with the key with the SHA-256 that you gave');
  });

  it.each([
    [
      'another SHA-256',
      () => 'ab'.repeat(32),
      'bad',
      'Signed by a different key than the key with the SHA-256 that you gave',
    ],
    [
      'a key with a typing error',
      () => packs.log.key.replace(/.$/u, (end) => (end === 'A' ? 'B' : 'A')),
      'warn',
      'What you pasted is not a valid key',
    ],
    ['nothing', () => ' ', 'warn', 'Nothing is pasted.'],
    ['rubbish', () => 'rubbish', 'warn', 'This is neither a whole key'],
  ])('is green no longer once %s was compared', async (_, typed, state, said) => {
    const page = await packs.openPage();
    await packs.give(page);
    await compare(page, packs.log.key);
    await page.locator('#verdict.good').waitFor();
    await compare(page, typed());
    await page.locator('#verdict').getByText(said).waitFor();
    const after = await verdict(page);
    expect(after.state).toBe(state);
    expect(after.text).not.toContain('✓');
    expect(after.text.includes('Intact, but not compared')).toBe(state === 'warn');
  });

  it('is green no longer once what was compared is edited', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    await compare(page, packs.log.key);
    await page.locator('#verdict.good').waitFor();
    await page.getByLabel('Paste the key that you were given').press('End');
    await page.keyboard.type('x');
    await page.locator('#verdict.warn').waitFor();
    expect((await verdict(page)).text).toContain('Intact, but not compared');
    expect(await page.getByLabel('Paste the key that you were given').inputValue()).toBe(`${packs.log.key}x`);
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
    const page = await packs.openPage();
    const found = await packs.give(page);
    const hash = /SHA-256 ([0-9a-f]{64})/u.exec(found.text)?.[1] ?? '';
    await compare(page, pasted(packs.log.key, hash));
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain('✓ Intact, and compared with the ');
  });

  it('says which numbers are only hashes, green or not', async () => {
    const page = await packs.openPage();
    const said = '6 of 31 entries (5–6, 32–35) are only hashes';
    expect((await packs.give(page)).text).toContain(said);
    await compare(page, packs.log.key);
    await page.locator('#verdict.good').waitFor();
    expect((await verdict(page)).text).toContain(said);
    expect(await page.locator('#limits').innerText()).toContain('6 of 31 entries are only hashes');
  });

  it('keeps what no signature covers apart, and says what to distrust', async () => {
    const page = await packs.openPage();
    await packs.give(page);
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

  it('prints the key and its SHA-256', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(packs.log.key).isVisible()).toBe(true);
    expect(await page.getByText(/^[0-9a-f]{64}$/u).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Compare' }).isVisible()).toBe(false);
  });

  it('takes a checkpoint that the reader kept, inside of the pack', async () => {
    const page = await packs.openPage();
    await packs.give(page);
    for (const name of ['checkpoints/first', 'checkpoints/last']) {
      await compare(page, packs.log.key.replace('bellhop', 'x'));
      await page.getByText('What you pasted is not a valid key').waitFor();
      await compare(page, packs.read(name));
      await page.locator('#verdict.good').waitFor();
    }
    expect((await verdict(page)).text).toContain('compared with the checkpoint of 35 entries that you gave');
    await compare(page, readFileSync(join(packs.other, 'checkpoints/last'), 'utf8'));
    await page.locator('#verdict.bad').waitFor();
    expect((await verdict(page)).text).toContain(
      '✗ From another log than the checkpoint of 35 entries that you gave',
    );
    await compare(page, packs.read('checkpoints/first').replace('\n4\n', '\n3\n'));
    await page.getByText('The checkpoint of 3 entries is outside of this pack.').waitFor();
    expect((await verdict(page)).state).toBe('warn');
  });

  it('is not green over entries that someone else signed after a checkpoint that the reader kept', async () => {
    const { folder: known, forged } = await forgedPack();
    const page = await packs.openPage();
    await packs.give(page, forged);
    await compare(page, readFileSync(join(known, 'checkpoints/first'), 'utf8'));
    await page.getByText('The pack continues the checkpoint of 4 entries that you gave. But none').waitFor();
    expect((await verdict(page)).state).toBe('warn');
  });

  it.each(alterations)('names $what', async ({ alter, named }) => {
    const copy = copyOf(packs.folder);
    alter(copy, packs.other);
    const page = await packs.openPage();
    const found = await packs.give(page, copy);
    expect(found.text).toContain(named);
    expect(found.state).toBe('bad');
    expect(found.text.includes('changes.csv')).toBe(named.startsWith('changes.csv'));
  });

  it('marks all rows as not verified if another key signed them', async () => {
    const page = await packs.openPage();
    expect((await packs.give(page)).text).toContain('of a log that calls itself bellhop-audit/');
    await compare(page, (await logOf(rounds.slice(0, 1))).key);
    await page.locator('#verdict.bad').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(6);
    await page.getByText('No entry proves these rows').waitFor();
    expect((await verdict(page)).text).toContain('of a log that calls itself bellhop-audit/');
    await compare(page, packs.log.key);
    await page.locator('#verdict.good').waitFor();
    expect(await page.locator('tr.altered').count()).toBe(0);
    expect((await verdict(page)).text).toContain('entries, of the log bellhop-audit/');
  });

  it('says where the pack starts, and claims no more than what its entries say', async () => {
    const page = await packs.openPage();
    const start =
      "The pack starts at entry 5. Entries 1 to 4 are not in it, and the pack can't show whether they belong to this period. The period starts on 2026-10-01, and the first entry shown is from 2026-10-05 09:00:00 UTC.";
    const { text } = await packs.give(page);
    expect(text).toContain(start);
    expect(text).toContain(
      'Each row matches its entries in this pack, and no number from 5 to 35 is missing.',
    );
    expect(text).toContain('such as a denial, a break-glass or a settlement');
    expect(await page.locator('#limits').innerText()).toContain(start);
  });

  it('takes a folder that is dropped', async () => {
    const page = await packs.openPage();
    const client = await page.context().newCDPSession(page);
    const data = { items: [], files: [packs.folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await client.send('Input.dispatchDragEvent', { type, x: 200, y: 160, data });
    expect((await verdict(page)).state).toBe('warn');
  });

  it('says which folder it needs', async () => {
    const page = await packs.openPage();
    await page.setInputFiles('#folder', join(packs.folder, 'proofs'));
    const said = page.getByText('This folder has no manifest.json');
    await said.waitFor();
    expect(await said.getAttribute('role')).toBe('status');
  });

  it('admits no code but its own', () => {
    const html = packs.read('index.html');
    expect(html).toMatch(
      /content="default-src 'none'; form-action 'none'; base-uri 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'"/u,
    );
    expect(html.match(/<script/gu)).toHaveLength(1);
  });
});
