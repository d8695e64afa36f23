import { request } from 'undici';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultInventory } from '../../../../service/state/inventory.ts';
import { startLocalService, type LocalService } from '../../../../service/start-local-service.ts';
import { until } from '../../../../../test/until.ts';
import { openPagesForEach, type Pages } from './open-pages.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';

const apiKey = 'drill-key';
let service: LocalService;
let slack: Pages;
let page: Page;
let dataDir: string;
beforeEach(async () => {
  dataDir = temporaryFolder();
  service = await startLocalService({ port: 0, dataDir, apiKey, inventory: defaultInventory });
});
afterEach(() => service.close());
openPagesForEach(
  async (opened) => {
    slack = opened;
    page = await slack.open();
    await page.getByRole('button', { name: 'Drills' }).click();
  },
  () => ({ service: { url: service.url, apiKey } }),
);

/** The status of the service's own answer to a list of its floating IPs. */
async function serviceStatus(): Promise<number> {
  const answer = await request(`${service.url}/cloud/v1/availablefloatingips/1186668/76`, {
    headers: { authorization: `apikey ${apiKey}` },
  });
  await answer.body.dump();
  return answer.statusCode;
}

async function webApiStatus(): Promise<number> {
  const answer = await request(`${slack.workspace.url}/api/auth.test`, { method: 'POST' });
  await answer.body.dump();
  return answer.statusCode;
}

describe('the drill panel', () => {
  it('breaks the service and mends it again', async () => {
    expect(await serviceStatus()).toBe(200);
    await page.getByRole('button', { name: /^Failing/ }).click();
    await page.getByText('Failing: answers 500').waitFor();
    expect(await serviceStatus()).toBe(500);
    await page.getByRole('button', { name: 'Drills 1 on' }).waitFor();
    await page.getByRole('button', { name: 'Turn off: Every call' }).click();
    await page.getByText('No faults active.').waitFor();
    expect(await serviceStatus()).toBe(200);
  });

  it('breaks one kind of call, once', async () => {
    await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('Floating IPs');
    await page.getByRole('checkbox', { name: 'only the next call' }).check();
    await page.getByRole('button', { name: /^Failing/ }).click();
    await page.getByText('(1×)').waitFor();
    expect([await serviceStatus(), await serviceStatus()]).toEqual([500, 200]);
  });

  it('loses an ack: the bot did it, the person sees that no answer came', async () => {
    const other = await slack.open({ as: 'U0BOB' });
    await page.getByLabel('Lose the next acks').fill('1');
    await page.keyboard.press('Tab');
    await other.getByRole('button', { name: 'Drills 1 on' }).waitFor();
    await page.getByRole('combobox', { name: 'Message #ops' }).fill('/cloud ips');
    await page.keyboard.press('Enter');
    await until(() => slack.app.received.length === 1);
    slack.advance(3_000);
    await page.getByText('/cloud failed with the error “operation_timeout”').waitFor();
    expect(slack.app.received).toHaveLength(1);
  });

  it('takes the Web API down, and clears everything at once', async () => {
    await page.getByRole('switch', { name: 'Web API down' }).click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
    expect(await webApiStatus()).toBe(503);
    await page.getByRole('button', { name: 'Clear all drills' }).click();
    await page.locator('[role=switch][aria-checked=true]').waitFor({ state: 'detached' });
    expect(await webApiStatus()).toBe(200);
  });

  it('changes who is on call, for every open page, and takes the calendar down', async () => {
    const other = await slack.open({ as: 'U0BOB' });
    await other.getByRole('button', { name: 'Drills' }).click();
    await page.getByRole('combobox', { name: 'On call now' }).selectOption('Carol');
    await until(
      async () => (await other.getByRole('combobox', { name: 'On call now' }).inputValue()) === 'U0CAROL',
    );
    await page.getByRole('switch', { name: 'Calendar down' }).click();
    await other.getByRole('button', { name: 'Drills 1 on' }).waitFor();
    const { statusCode, body } = await request(`${slack.workspace.url}/schedule.ics`);
    await body.dump();
    expect(statusCode).toBe(503);
  });

  it('folds away with Esc', async () => {
    await page.getByRole('complementary', { name: 'Drill panel' }).press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(await page.locator('button:focus').textContent()).toBe('Drills');
  });
});

describe('the wire log', () => {
  it('lists the payloads in both directions, newest first, and unfolds one without secrets', async () => {
    await page.getByRole('combobox', { name: 'Message #ops' }).fill('/cloud ips');
    await page.getByRole('button', { name: 'Send' }).click();
    const log = page.getByRole('region', { name: 'Wire log' });
    // The call is listed once it is answered.
    await log.getByRole('button', { name: /\/cloud/ }).waitFor();
    await slack.post([], 'an answer');
    await log.getByText('chat.postMessage').waitFor();
    expect(await log.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/chat\.postMessage.*200.*\d+ ms/s),
      expect.stringMatching(/\/cloud.*200.*\d+ ms/s),
    ]);
    await log.getByRole('button', { name: /\/cloud/ }).click();
    await log.getByText('U0ALICE').waitFor();
    expect(await log.textContent()).not.toContain('xoxb-');
    await log.getByRole('searchbox').fill('post');
    expect(await log.getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear log' }).click();
    await log.getByText('Nothing yet').waitFor();
  });
});
