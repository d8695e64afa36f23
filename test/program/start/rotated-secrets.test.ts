import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { signatureHeaders } from '../../../playground/workspace/dispatch/sign.ts';
import { alertmanagerBody } from '../../alertmanager-body.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { repeat, rereads, secretFile, startGate } from '../rotation.ts';
import { setStage, type Stage, type StageOptions } from '../stage.ts';

async function open(env: Readonly<Record<string, string>>, envOf?: StageOptions['envOf']): Promise<Stage> {
  const stage = await setStage({ env: { LOG_LEVEL: 'info', ...env }, ...(envOf && { envOf }) });
  onTestFinished(() => stage.close());
  return stage;
}

const json = { 'content-type': 'application/json' };

/** Sends a new alert. Resolves to the status of the answer. */
async function deliver({ botUrl }: Stage, number: number, secret: string): Promise<number> {
  const body = alertmanagerBody([{ alertname: `A${number}`, instance: 'web-1:9100' }]);
  const headers = { ...json, authorization: `Bearer ${secret}` };
  return (await fetch(`${botUrl}/hooks/alertmanager`, { method: 'POST', headers, body })).status;
}

/** Reboots a machine. It has to succeed. */
async function reboot(stage: Stage, target: string): Promise<void> {
  await stage.say('U0ALICE', `/cloud reboot ${target}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${target}: proposed`));
  await stage.press('U0ALICE', card, `Reboot ${target}`);
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
}

it('while the service key is rotated, each read is answered and each change runs once', async () => {
  const key = secretFile('key-of-the-stage');
  const refusal = { status: 401, headers: json, body: Buffer.from('{}') };
  const service = await startGate('apikey key-of-the-stage', refusal);
  onTestFinished(() => service.close());
  const env = { API_KEY: '', API_KEY_FILE: key.file };
  const stage = await open(env, (at) => ({ API_BASE_URL: service.before(at.service) }));
  const looks = repeat(2, async () => void (await stage.say('U0ALICE', '/cloud ips')));

  await reboot(stage, 'web-1');
  // The file gets the new key before the service knows it, so the old key serves each call.
  key.write('the-new-key,key-of-the-stage');
  await until(() => rereads(stage, 'API_KEY') === 1);
  await looks.more(10);
  await reboot(stage, 'web-2');
  service.valid.add('apikey the-new-key');
  await looks.more(10);
  service.valid.delete('apikey key-of-the-stage');
  await reboot(stage, 'web-3');
  key.write('the-new-key');
  await until(() => rereads(stage, 'API_KEY') === 2);
  await looks.more(10);
  await looks.end();

  const answers = await stage.messages('U0ALICE');
  expect(answers.filter(({ text }) => /API_KEY|try again|cannot/iu.test(text))).toEqual([]);
  expect(await stage.calls('rebootInstance')).toBe(3);
  expect(service.shown.at(-1)).toBe('apikey the-new-key');
  expect(stage.bot.output()).not.toMatch(/the-new-key|key-of-the-stage/u);
});

it('the bot token is rotated under a stream of alerts: Slack refuses no call', async () => {
  const token = secretFile('xoxb-stage');
  const refusal = { status: 200, headers: json, body: Buffer.from('{"ok":false,"error":"invalid_auth"}') };
  const slack = await startGate('Bearer xoxb-stage', refusal);
  onTestFinished(() => slack.close());
  const env = { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: token.file };
  const stage = await open(env, (at) => ({ SLACK_API_URL: `${slack.before(at.workspace)}/api/` }));
  const alerts = repeat(2, async (number) => void (await deliver(stage, number, 'secret-of-the-hook')));

  await alerts.more(20);
  slack.valid.add('Bearer xoxb-new');
  token.write('xoxb-new');
  await until(() => rereads(stage, 'SLACK_BOT_TOKEN') === 1);
  await alerts.more(20);
  slack.valid.delete('Bearer xoxb-stage');
  const before = slack.shown.length;
  await alerts.more(20);
  await until(() => slack.shown.length > before);
  await alerts.end();
  expect(slack.shown.slice(before)).not.toContain('Bearer xoxb-stage');
  expect(stage.bot.output()).not.toMatch(/invalid_auth|xoxb-/u);
});

it('while the signing secret is rotated, every payload is accepted', async () => {
  const signing = secretFile('the-old-secret');
  const stage = await open({ SLACK_SIGNING_SECRET: '', SLACK_SIGNING_SECRET_FILE: signing.file });
  let signs = 'the-old-secret';
  const answers: number[] = [];
  const post = async (number: number): Promise<void> => {
    const body = JSON.stringify({ type: 'url_verification', challenge: `c${number}` });
    const headers = { ...json, ...signatureHeaders(body, signs, Date.now()) };
    answers.push((await fetch(`${stage.botUrl}/slack/events`, { method: 'POST', headers, body })).status);
  };
  const payloads = repeat(4, post);

  await payloads.more(40);
  signing.write('the-new-secret,the-old-secret');
  await until(() => rereads(stage, 'SLACK_SIGNING_SECRET') === 1);
  signs = 'the-new-secret';
  await payloads.more(40);
  signing.write('the-new-secret');
  await until(() => rereads(stage, 'SLACK_SIGNING_SECRET') === 2);
  await payloads.more(40);
  await payloads.end();
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  signs = 'the-old-secret';
  await post(0);
  expect(answers.at(-1)).toBe(401);
});

it('while the secret of a hook is rotated, every alert is accepted', async () => {
  const dir = temporaryFolder();
  const hook = secretFile('the-old-secret', join(dir, 'alertmanager-hook'));
  const stage = await open({ BELLHOP_SECRETS_DIR: dir, BELLHOP_SECRET_ALERTMANAGER_HOOK: '' });
  let shown = 'the-old-secret';
  const answers: number[] = [];
  const alerts = repeat(4, async (number) => void answers.push(await deliver(stage, number, shown)));

  await alerts.more(40);
  hook.write('the-new-secret,the-old-secret');
  await alerts.more(40);
  shown = 'the-new-secret';
  await alerts.more(40);
  hook.write('the-new-secret');
  await alerts.more(40);
  await alerts.end();
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  expect(await deliver(stage, 0, 'the-old-secret')).toBe(401);
  expect(stage.bot.output()).not.toMatch(/the-(?:old|new)-secret/u);
});

const partsSchema = z.object({ parts: z.record(z.string(), z.looseObject({ ok: z.boolean() })) });
const signed = async (stage: Stage, ok: boolean): Promise<true> =>
  until(async () => {
    await stage.say('U0ALICE', '/cloud ips');
    const { parts } = partsSchema.parse(await (await fetch(`${stage.botUrl}/readyz`)).json());
    return parts['signatures']?.ok === ok ? true : undefined;
  });

it('payloads signed with a removed secret are rejected within a second, and accepted again once it is restored', async () => {
  const signing = secretFile('a-signing-secret-of-the-stage');
  const stage = await open({ SLACK_SIGNING_SECRET: '', SLACK_SIGNING_SECRET_FILE: signing.file });
  await signed(stage, true);
  signing.write('of-another-app');
  await signed(stage, false);
  signing.write('');
  await until(async () => {
    await stage.say('U0ALICE', '/cloud ips');
    return stage.bot.output().includes('secret file cannot be used');
  });
  signing.write('of-another-app,a-signing-secret-of-the-stage');
  expect(await signed(stage, true)).toBe(true);
});
