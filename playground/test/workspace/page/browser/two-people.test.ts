import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serve } from '../../../../../test/serve.ts';
import { until } from '../../../../../test/until.ts';
import { openPagesForEach } from './open-pages.ts';

let hook: Awaited<ReturnType<typeof serve>>;
const fired: string[] = [];
let page: Page;
beforeEach(async () => {
  fired.length = 0;
  hook = await serve((incoming, response) => {
    incoming.setEncoding('utf8').on('data', (text: string) => fired.push(text));
    incoming.on('end', () => response.end());
  });
});
afterEach(() => hook.close());
openPagesForEach(
  async (slack) => {
    page = await slack.open();
    await page.getByRole('button', { name: 'Drills' }).click();
  },
  () => ({ alertHook: { url: hook.url, secret: 'of the hook' }, instances: ['db-1'] }),
);

it('the drill for two people fires an alert, and makes a newcomer Carol and Alice again, with the panel open', async () => {
  const drill = page.getByRole('region', { name: 'Two people on call' });
  await drill.getByRole('button', { name: /^Begin/ }).click();
  await page.getByRole('heading', { name: '# incident-42', level: 1 }).waitFor();
  expect(fired.join('')).toContain('db-1');
  const steps = drill.getByRole('list', { name: 'Steps for two people' });
  expect(await steps.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Press I’m on it on the alert\.\s*The alert names you\.\s*As Alice$/),
    expect.stringMatching(/^Press Take over on the alert\.\s*Alice is mentioned in the thread\.\s*As Carol$/),
    expect.stringMatching(/^Type \/bellhop hold db-1 --reason drill\./),
    expect.stringMatching(/^Type \/cloud reboot db-1\./),
    expect.stringMatching(/^Type \/bellhop release db-1\./),
  ]);
  await steps.getByRole('button', { name: 'Step 2: be Carol' }).click();
  const as = page.getByRole('combobox', { name: 'You are' });
  await until(async () => (await as.inputValue()) === 'U0CAROL');
  await page.getByRole('heading', { name: '# incident-42', level: 1 }).waitFor();
  await steps.getByRole('button', { name: 'Step 4: be Alice' }).click();
  await until(async () => (await as.inputValue()) === 'U0ALICE');
  expect(await steps.getByRole('button', { pressed: true }).count()).toBe(2);
});
