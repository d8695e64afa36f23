import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

import { botProgram } from '../../built-bot.ts';
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

const line = z.object({ event: z.string(), outcome: z.string().optional(), note: z.string().optional() });
/** As on the host, without Slack: the steps of the requests, as docs/operations.md reads them. */
const steps = (): readonly string[] =>
  execFileSync(process.execPath, [botProgram('audit'), 'export'], {
    env: { PATH: process.env.PATH, DATA_DIR: stage.env['DATA_DIR'] },
    encoding: 'utf8',
  })
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => line.parse(JSON.parse(text)))
    .filter(({ event }) => !event.startsWith('policy'))
    .map(({ event, outcome }) => `${event} ${outcome}`);

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
  const waiting = await proposed('/cloud stop web-2', /web-2/u);
  const card = await proposed('/cloud reboot web-1', /web-1/u);
  await stage.fault('rebootInstance', { delay_ms: 1500 });
  await stage.press('U0ALICE', card, 'Reboot web-1');
  await until(async () => steps().includes('started running') || undefined);
  isAway = true;
  await until(async () => steps().includes('ended succeeded') || undefined);
  await until(async () => steps().includes('expired expired') || undefined);
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
  const card = await proposed('/cloud reboot --each tier=web --pause 5s', /Reboot 3 instances/u);
  await stage.press('U0ALICE', card, 'Reboot 3 instances');
  await until(async () => steps().includes('started running') || undefined);
  isAway = true;
  const freeze =
    'freeze:\n  - { from: 2020-01-01T00:00:00Z, to: 2099-01-01T00:00:00Z, reason: Slack is down }\n';
  appendFileSync(join(stage.dataDir, 'bellhop.yaml'), freeze);
  await until(async () => steps().includes('paused paused') || undefined);
  const sent = await stage.calls('rebootInstance');
  expect(sent).toBeLessThan(3);
  isAway = false;
  await cardOf(card, /paused/u);
  expect(await stage.calls('rebootInstance')).toBe(sent);
});
