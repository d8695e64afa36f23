import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { callProgram } from '../../call-program.ts';
import { until } from '../../until.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { type Message, setStage, type Stage } from '../stage.ts';

let stage: Stage;
let isAway = false;
afterEach(async () => {
  isAway = false;
  await stage.close();
});

const toSlack: Parameters<typeof setStage>[0] = {
  toSlack: (_, forward) => (isAway ? Promise.resolve('lost') : forward()),
};

const draft = z.object({ event: z.string(), outcome: z.string().optional() });
const stepsIn = (drafts: readonly string[]): readonly string[] =>
  drafts
    .map((text) => draft.parse(JSON.parse(text)))
    .filter(({ event }) => !event.startsWith('policy'))
    .map(({ event, outcome }) => `${event} ${outcome}`);

/** Waits until the log has the step. It reads the database itself, without a process for each look. */
async function stepIs(step: string): Promise<void> {
  using database = new DatabaseSync(sqliteFile(stage.env['DATA_DIR'] ?? ''), {
    readOnly: true,
    timeout: 5000,
  });
  const entries = database.prepare('select draft from audit union all select draft from audit_staged');
  const row = z.object({ draft: z.string() });
  await until(() => stepsIn(entries.all().map((entry) => row.parse(entry).draft)).includes(step));
}

/** The steps of the requests, read from an export on the host without Slack, as docs/runbook.md describes. */
async function exportedSteps(): Promise<readonly string[]> {
  const { out } = await callProgram('audit', ['export'], { DATA_DIR: stage.env['DATA_DIR'] });
  return stepsIn(out.split('\n').filter((text) => text !== ''));
}

const cardOf = (card: Message, words: RegExp): Promise<Message> =>
  stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && words.test(text));

async function proposed(words: string, title: RegExp): Promise<Message> {
  await stage.say('U0ALICE', words);
  const card = await stage.seen('U0ALICE', ({ text }) => title.test(text) && text.includes('proposed'));
  await stage.recorded(card);
  return card;
}

it('a change that runs while Slack is down ends once, is read on the host, and is shown when Slack is back', async () => {
  stage = await setStage({ ...toSlack, rulebook: exampleRulebook({ expireAfter: '5s' }) });
  const card = await proposed('/cloud reboot web-1', /web-1/u);
  await stage.fault('rebootInstance', { delay_ms: 600_000 });
  await stage.press('U0ALICE', card, 'Reboot web-1');
  await stepIs('started running');
  const waiting = await proposed('/cloud stop web-2', /web-2/u);
  isAway = true;
  await stage.clearFaults();
  await stepIs('ended succeeded');
  await stepIs('expired expired');
  expect(await exportedSteps()).toEqual(
    expect.arrayContaining(['started running', 'ended succeeded', 'expired expired']),
  );
  expect((await fetch(`${stage.botUrl}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
  expect(metrics).toMatch(/^bellhop_due\{.*card.*\} [12]$/mu);
  expect(await stage.calls('rebootInstance')).toBe(1);

  isAway = false;
  await cardOf(card, /succeeded/u);
  await cardOf(waiting, /expired/u);
  expect(await stage.calls('rebootInstance')).toBe(1);
});

it('a rollout continues while Slack is down, until a freeze in bellhop.yaml pauses it', async () => {
  stage = await setStage({ ...toSlack, livelyService: true, rulebook: exampleRulebook({}) });
  const card = await proposed('/cloud reboot --each tier=web --pause 5s', /Reboot 3 × tier=web/u);
  const holdNext = () => stage.fault('rebootInstance', { delay_ms: 600_000 });
  const isSent = (count: number) => until(async () => (await stage.calls('rebootInstance')) === count);
  await holdNext();
  await stage.press('U0ALICE', card, 'Reboot 3 × tier=web');
  await isSent(1);
  isAway = true;
  // A new delay ends the earlier one, and the call that waits for it continues.
  await holdNext();
  await isSent(2);
  const rules = async () =>
    /[\da-f]{12} in force/u.exec(await (await fetch(`${stage.botUrl}/readyz`)).text())?.[0];
  const before = await rules();
  const freeze =
    'freeze:\n  - { from: 2020-01-01T00:00:00Z, to: 2099-01-01T00:00:00Z, reason: Slack is down }\n';
  appendFileSync(join(stage.dataDir, 'bellhop.yaml'), freeze);
  await until(async () => (await rules()) !== before);
  await stage.clearFaults();
  await stepIs('paused paused');
  isAway = false;
  await cardOf(card, /paused/u);
  expect(await stage.calls('rebootInstance')).toBe(2);
});
