import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Pages, openPagesForEach } from './open-pages.ts';
import { CARD, DATA_TABLE, PIE, WORDS } from './sample-blocks.ts';

// How it is put together is looked at, too.

let slack: Pages;
openPagesForEach(
  (opened) => {
    slack = opened;
  },
  () => ({ pageFolder: undefined }),
);

describe('every block', () => {
  it('is drawn, with the words in it', async () => {
    const blocks = [...CARD, ...WORDS, PIE];
    await slack.post(blocks);
    const page = await slack.open();
    const drawn = await page.locator('article [data-block]').all();
    expect(await Promise.all(drawn.map((block) => block.getAttribute('data-block')))).toEqual(
      blocks.map(({ type }) => type),
    );
    const words = String(await page.getByRole('article').textContent());
    const expected = [
      'Reboot web-1?',
      '@Alice asks',
      '*stars* stay, so does 5 * 3 * 2.',
      'Luxembourg-2',
      'Heading',
      'second',
    ];
    for (const each of [
      ...expected,
      'quoted',
      'pre *stars*',
      'ACTIVE',
      'Graph',
      '1 of 2 done',
      'Check health',
    ]) {
      expect(words).toContain(each);
    }
    expect(await page.locator('.block-unknown').count()).toBe(0);
  });
});

describe('the page as it is shipped', () => {
  it('is fetched from this machine alone', async () => {
    await slack.post(WORDS);
    await slack.post([DATA_TABLE]);
    const page = await slack.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.reload();
    await page.getByRole('img', { name: 'A graph' }).waitFor();
    expect([...new Set(asked)]).toEqual([slack.workspace.url]);
  });

  it('loads well within a second', async () => {
    const page = await slack.open();
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor({ state: 'attached' });
    const [{ transferred, files }] = z
      .tuple([z.object({ transferred: z.number(), files: z.number() })])
      .parse(
        await page.evaluate<unknown>(
          // The emoji font is not counted, because it alone is larger than the rest of the page, and browsers cache it.
          '(() => { const all = performance.getEntriesByType("resource").filter(({ name }) => !name.endsWith(".woff2")); return [{ files: all.length, transferred: all.reduce((sum, each) => sum + each.decodedBodySize, 0) }]; })()',
        ),
      );
    expect(files).toBeLessThan(90);
    expect(transferred).toBeLessThan(250_000);
  });
});
