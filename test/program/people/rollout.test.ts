import { afterAll, beforeAll, expect, it } from 'vitest';

import { openBrowser, type SharedBrowser } from '../../browser.ts';
import { messageSaying, openAs, typeLine } from '../page.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Stage } from '../stage.ts';
import { createTabs } from '../../tabs.ts';
import { until } from '../../until.ts';

let stage: Stage;
let browser: SharedBrowser;
beforeAll(async () => {
  const rulebook = exampleRulebook({ timeout: '10s' });
  [stage, browser] = await Promise.all([setStage({ livelyService: true, rulebook }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

it('an answer that is lost in the middle pauses a rollout; Alice checks, continues, and it is done', async () => {
  const phone = { viewport: { width: 390, height: 800 }, colorScheme: 'dark' } as const;
  const page = await openAs(createTabs(browser), stage.workspace.url, 'U0ALICE', phone);
  await typeLine(page, '/cloud reboot --each tier=web --pause 5s');
  const proposed = messageSaying(page, 'Reboot 3 × tier=web?');
  for (const name of ['web-1', 'web-2', 'web-3']) await proposed.getByText(`${name} waiting`).waitFor();
  await stage.fault('rebootInstance', { delay_ms: 600_000 });
  await proposed.getByRole('button', { name: 'Reboot 3 × tier=web' }).click();
  await until(async () => (await stage.calls('rebootInstance')) === 1);
  // Replaces the fault with the delay, so the reboot of web-1 is answered.
  await stage.fault('rebootInstance', { hang: true, after: true, times: 1 });
  const running = messageSaying(page, 'Reboot 3 × tier=web: running');
  await running.getByText('web-1 succeeded').waitFor();
  const paused = messageSaying(page, 'Reboot 3 × tier=web: paused');
  await paused.getByText('The outcome for web-2 is unknown').waitFor();
  await paused.getByRole('button', { name: 'Check now' }).click();
  await paused.getByText('unknown, checked').waitFor();
  await paused.getByRole('button', { name: 'Continue with web-3…' }).click();
  const sure = page.getByRole('alertdialog');
  await sure
    .getByText(
      'web-2 may be down. If web-3 goes too, 2 of 3 are out. Press Check now first, and check web-2 itself.',
    )
    .waitFor();
  await sure.getByRole('button', { name: 'Continue with web-3' }).click();
  const done = messageSaying(page, 'Reboot 3 × tier=web: done');
  await done.getByText('2 of 3 rebooted').waitFor();
  expect(await done.innerText()).toMatch(/web-1 succeeded.*web-2 unknown.*web-3 succeeded/su);
  expect(await stage.calls('rebootInstance')).toBe(3);
  // The ids, the rule and the proof are only in Details.
  expect(await done.innerText()).not.toMatch(/\br-[a-z0-9]{10}\b|\brule\b/u);
  const dialog = page.getByRole('dialog');
  const details = await until(async () => {
    await done.getByRole('button', { name: 'Details' }).click();
    await dialog.getByText('requested by').waitFor();
    const text = await dialog.innerText();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    // The proof is named once the entry is sealed, a moment after the end.
    return text.includes('prove it') && text;
  });
  expect(details).toMatch(/request r-[a-z0-9]{10} · rule .*prove it: npm run audit -- prove \d+/u);
  // Its thread mentions who waits, once for each thing.
  const card = (await stage.messages('U0ALICE')).find(({ text }) => text.includes('3 × tier=web: done'));
  const thread = await until(async () => {
    const replies = (await stage.messages('U0ALICE')).filter(
      ({ ts, thread_ts: of }) => of === card?.ts && ts !== card?.ts,
    );
    return replies.length > 1 && replies;
  });
  expect(thread.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^<@U0ALICE> ⏸️ \*Reboot 3 × tier=web\* \(staging\) paused\. The outcome for web-2 is unknown\. .* Press \*Check now\* first\. If the outcome stays unknown, check web-2 itself and press \*Settle…\*\. Then press \*Continue with web-3…\* or \*Stop here\*\.$/u,
    ),
    expect.stringMatching(
      /^<@U0ALICE> ⚠️ \*Reboot 3 × tier=web\* \(staging\): 2 of 3 rebooted in .*\. The outcome for web-2 is unknown\. Press \*Check now\*, then \*Settle…\*\.$/u,
    ),
  ]);
});
