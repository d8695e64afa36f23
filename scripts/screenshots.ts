import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import upng from 'upng-js';
import type { Browser, Locator, Page } from 'playwright-core';

import { launchBrowser } from '../test/browser.ts';
import { freePort } from '../test/free-port.ts';
import { startProcess } from '../test/program/bot-process.ts';
import { openAs, typeLine } from '../test/program/page.ts';
import { runProgram } from '../test/run-node.ts';
import { createTabs } from '../test/tabs.ts';

/** Takes the pictures for the documents from the running program: `node scripts/screenshots.ts [folder] [dark]`. */
const [folder = 'docs', theme = 'light'] = process.argv.slice(2);
const colorScheme = theme === 'dark' ? 'dark' : 'light';

/** The zone of the people and of the browser, so that messages and charts show the same times. */
const timeZone = 'Europe/Luxembourg';

/** High enough that no message needs scrolling, so that a picture never cuts one. */
const viewport = { width: 1020, height: 1800 };

const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-pictures-'));
mkdirSync(folder, { recursive: true });
const [port, localPort, servicePort] = [await freePort(), await freePort(), await freePort()];
const bot = await startProcess({
  DATA_DIR: dataDir,
  PORT: String(port),
  LOCAL_PORT: String(localPort),
  LOCAL_SERVICE_PORT: String(servicePort),
  LOG_LEVEL: 'error',
  TZ: timeZone,
});
const browser = await launchBrowser();
try {
  await takeIncident(browser);
  await takeCards(browser);
  await takeEvidence(browser);
} finally {
  await browser.close();
  await bot.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}

/** An alert with the card in its thread, and below them the same card after its end. */
async function takeIncident(from: Browser): Promise<void> {
  const alice = await open(from, 'U0ALICE', 'incident-42');
  const carol = await open(from, 'U0CAROL', 'incident-42');
  await carol.getByRole('button', { name: 'Drills' }).click();
  await carol.getByRole('button', { name: /^Fire/u }).click();

  const offer = { name: 'Reboot web-1…', exact: true };
  const alert = alice.getByRole('article').filter({ has: alice.getByRole('button', offer) });
  await alert.hover();
  await alert.getByRole('button', { name: 'Reply in thread' }).click();
  const thread = alice.getByRole('complementary', { name: 'Thread' });
  // Wide enough for the longest line, and filled from the top, so that messages stay in place when one is added.
  await thread.evaluate((element) => {
    element.style.width = '600px';
  });
  await thread.locator('.messages-inner').evaluate((element) => {
    element.style.marginTop = '0';
  });
  await thread.getByRole('button', offer).click();
  const confirm = thread.getByRole('button', { name: 'Reboot web-1', exact: true });
  await confirm.waitFor();
  const asked = await pictureOf(thread.getByRole('article'));
  await confirm.click();
  const ended = thread.getByRole('article').filter({ hasText: 'succeeded' }).first();
  await ended.waitFor();
  write('incident', stacked([asked, await pictureOf(ended)]));
}

async function takeCards(from: Browser): Promise<void> {
  const wide = await open(from, 'U0ALICE', 'ops', 1180);
  await wide.evaluate(() => {
    // As wide as the table, which a person would scroll.
    document.styleSheets[0]?.insertRule('.blocks { max-width: none !important }');
  });
  await typeLine(wide, '/cdn metrics 5xx --last 6h');
  const metrics = wide.getByRole('article').filter({ has: wide.getByRole('button', { name: 'Refresh' }) });
  await metrics.locator('canvas').last().waitFor();
  write('metrics', await pictureOf(metrics));

  const alice = await open(from, 'U0ALICE', 'ops');
  const carol = await open(from, 'U0CAROL', 'ops');
  await typeLine(alice, '/cloud reboot db-1 --reason "replication is stuck"');
  const approval = carol.getByRole('article').filter({ has: carol.getByRole('button', { name: 'Approve' }) });
  await approval.waitFor();
  write('approval', await pictureOf(approval));
  await approval.getByRole('button', { name: 'Approve' }).click();
  await alice.getByText('Reboot db-1: succeeded').first().waitFor();
  await typeLine(alice, '/cloud reboot db-1 --break-glass "the disk is full again, and no lead answers"');
  await alice.getByRole('button', { name: /^Reboot db-1 without/u }).click();

  await carol.getByRole('button', { name: 'Drills' }).click();
  await carol.getByRole('button', { name: /^Failing/u }).click();
  await typeLine(alice, '/cloud reboot web-2');
  await alice.getByRole('button', { name: 'Reboot web-2', exact: true }).click();
  const unknown = alice
    .getByRole('article')
    .filter({ has: alice.getByRole('button', { name: 'Check now' }) });
  await unknown.waitFor();
  write('unknown', await pictureOf(unknown));
}

/** The page of a pack with the changes of the other pictures. */
async function takeEvidence(from: Browser): Promise<void> {
  const pack = join(dataDir, 'pack');
  const today = new Date().toISOString().slice(0, 10);
  const env = { DATA_DIR: dataDir };
  await runProgram('audit', ['evidence', '--from', today, '--to', today, '--out', pack], env);
  const { out: key } = await runProgram('audit', ['key'], env);

  const page = await from.newPage({ viewport: { width: 1060, height: 1800 }, colorScheme, offline: true });
  await page.goto(pathToFileURL(join(pack, 'index.html')).href);
  await page.setInputFiles('#folder', pack);
  await page.getByLabel('Paste the key that you were given').fill(key.trim());
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator('#verdict.good').waitFor();
  await page.getByRole('button', { name: 'cloud.reboot db-1' }).first().click();
  const box = await page.locator('.timeline').first().boundingBox();
  if (!box) throw new Error('The change shows no steps');
  const clip = { x: 0, y: 0, width: 1060, height: Math.ceil(box.y + box.height) };
  write('evidence', stacked([await page.screenshot({ clip, fullPage: true, animations: 'disabled' })]));
}

async function open(from: Browser, as: string, channel: string, width = viewport.width): Promise<Page> {
  const options = {
    viewport: { ...viewport, width },
    timezoneId: timeZone,
    colorScheme,
    deviceScaleFactor: 2,
  } as const;
  const page = await openAs(createTabs(from), `http://127.0.0.1:${localPort}`, as, options);
  await page
    .getByRole('link', { name: channel })
    .or(page.getByRole('button', { name: channel }))
    .first()
    .click();
  return page;
}

/** A picture of these messages and nothing around them. @throws Error if a part of them would be missing */
async function pictureOf(messages: Locator): Promise<Buffer> {
  const page = messages.page();
  // An element with the mouse or the focus is highlighted, and a message then shows its tools.
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    const [sheet] = document.styleSheets;
    sheet?.insertRule('.message { background: none !important }');
    sheet?.insertRule('.message-tools { display: none !important }');
  });
  const all = await messages.all();
  const boxes = await Promise.all(
    all.map(async (message) => {
      const undrawn = await undrawnEmoji(message);
      if (undrawn.length > 0) throw new Error(`No font draws ${undrawn.join(' ')}`);
      if (await isCut(message)) throw new Error('A part of a message is wider than the screen');
      return message.boundingBox();
    }),
  );
  const [first, last] = [boxes.at(0), boxes.at(-1)];
  if (!first || !last || first.y < 0 || last.y + last.height > viewport.height)
    throw new Error('A message is not on the screen as a whole');
  const { x, y, width } = first;
  const height = last.y + last.height - y;
  return page.screenshot({ clip: { x, y, width, height }, animations: 'disabled' });
}

/** Whether the message has to be scrolled sideways, like a wide table. */
function isCut(message: Locator): Promise<boolean> {
  return message.evaluate((element) =>
    [...element.querySelectorAll('*')].some(
      (part) => getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1,
    ),
  );
}

/**
 * Emoji that are drawn as an empty box. The glyph of an emoji font is as wide as it is high, so a narrower one is a
 * box.
 */
function undrawnEmoji(message: Locator): Promise<readonly string[]> {
  return message.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const match of (text.nodeValue ?? '').matchAll(/\p{Emoji_Presentation}|\p{Emoji}\uFE0F/gu)) {
        const glyph = document.createRange();
        glyph.setStart(text, match.index);
        glyph.setEnd(text, match.index + match[0].length);
        const size = text.parentElement
          ? Number.parseFloat(getComputedStyle(text.parentElement).fontSize)
          : 0;
        if (glyph.getBoundingClientRect().width < size * 0.9) found.push(match[0]);
      }
    }
    return found;
  });
}

/** The pictures one below the other. @throws Error if they differ in width */
function stacked(pictures: readonly Buffer[]): Uint8Array {
  const decoded = pictures.map((picture) => upng.decode(new Uint8Array(picture).buffer));
  const width = Math.max(...decoded.map((picture) => picture.width));
  const rows = decoded.map((picture) => {
    const [pixels] = upng.toRGBA8(picture);
    if (!pixels || picture.width !== width) throw new Error('The pictures differ in width');
    return Buffer.from(pixels);
  });
  const height = decoded.reduce((sum, picture) => sum + picture.height, 0);
  return new Uint8Array(upng.encode([new Uint8Array(Buffer.concat(rows)).buffer], width, height, 256));
}

function write(name: string, picture: Uint8Array): void {
  writeFileSync(join(folder, `${name}.png`), picture);
}
