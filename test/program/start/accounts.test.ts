import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startLocalService, type LocalService } from '../../../playground/service/start-local-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { callProgram } from '../../call-program.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { callTotals, control } from '../service-control.ts';
import { type Message, setStage, type Stage } from '../stage.ts';

const euId = '11111111-2222-4333-8444-555555555555';
const keyOfEu = 'key-of-eu';

let eu: LocalService;
let us: LocalService;
let stage: Stage;
const secrets = temporaryFolder();

const elsewhere = (apiKey: string): Promise<LocalService> =>
  startLocalService({
    port: 0,
    dataDir: temporaryFolder(),
    apiKey,
    inventory: {
      instances: { 'web-eu': { id: euId, project: 1186668, region: 76, labels: { env: 'staging' } } },
      containers: {},
    },
  });

/** The example, with an account `eu` that has web-eu. */
function rules({ account = 'eu', euUrl = eu.url }: { account?: string; euUrl?: string } = {}): string {
  const listed = `accounts:
  eu: { base_url: "${euUrl}", key: secret:eu }
  us: { base_url: "${us.url}", key: secret:us }
instances:
  web-eu: { id: ${euId}, account: ${account}, labels: { env: staging, tier: eu } }
  web-us: { id: 99999999-2222-4333-8444-555555555555, account: us, labels: { env: staging } }
  web-here: { id: 8d3f5a10-4c1e-4f53-9b7e-1e6a7d2c9f34, labels: { env: staging, tier: eu } }
`;
  return exampleRulebook({})
    .replace(/^ {2}web-3: .*\n/mu, '')
    .replace('instances:\n', listed);
}

beforeAll(async () => {
  [eu, us] = await Promise.all([elsewhere(keyOfEu), elsewhere('key-of-us')]);
  writeFileSync(join(secrets, 'eu'), keyOfEu);
  writeFileSync(join(secrets, 'us'), 'key-of-us\n');
  stage = await setStage({
    rulebook: rules(),
    env: { LOG_LEVEL: 'info', BELLHOP_SECRETS_DIR: secrets },
  });
});
afterAll(async () => {
  await stage.close();
  for (const service of [eu, us]) await service.close();
});
beforeEach(async () => {
  for (const service of [eu, us]) {
    await control(service, 'DELETE', 'faults');
    await control(service, 'POST', 'clock', { advance_ms: 60_000 });
  }
  await stage.advance(60_000);
});

/** The calls of an endpoint at each service: that of the environment, eu and us. */
const calls = async (endpoint: string): Promise<readonly number[]> =>
  (await Promise.all([stage.service, eu, us].map(callTotals))).map((totals) => totals[endpoint] ?? 0);

async function added(endpoint: string, work: () => Promise<unknown>): Promise<readonly number[]> {
  const before = await calls(endpoint);
  await work();
  return (await calls(endpoint)).map((count, at) => count - (before[at] ?? 0));
}

async function propose(words: string): Promise<Message> {
  const before = new Set((await stage.messages('U0ALICE')).map(({ ts }) => ts));
  expect(await stage.say('U0ALICE', words)).toEqual({ ok: true });
  return stage.seen(
    'U0ALICE',
    ({ ts, ephemeral, text }) => !before.has(ts) && !ephemeral && text.includes('proposed'),
  );
}

const becomes = ({ ts }: Message, state: string): Promise<Message> =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

async function answerTo(text: string): Promise<Message> {
  const before = new Set((await stage.messages('U0ALICE')).map(({ ts }) => ts));
  await stage.say('U0ALICE', text);
  return stage.seen('U0ALICE', ({ ts, ephemeral }) => ephemeral && !before.has(ts));
}

/** Replaces bellhop.yaml and waits until it is in force. */
async function reload(text: string): Promise<void> {
  const file = stage.env['BELLHOP_CONFIG'] ?? '';
  const reloads = () => stage.bot.output().match(/"policy loaded"/gu)?.length ?? 0;
  const before = reloads();
  writeFileSync(file, `${text}# ${before}\n`);
  await until(() => reloads() > before);
}

it('a change goes to the account of its target, with its key, and the card and the log say which', async () => {
  const card = await propose('/cloud reboot web-eu');
  expect(JSON.stringify(card.blocks)).toContain('account eu');
  expect(
    await added('rebootInstance', async () => {
      await stage.press('U0ALICE', card, 'Reboot web-eu');
      await becomes(card, 'succeeded');
    }),
  ).toEqual([0, 1, 0]);
  const { out } = await callProgram('audit', ['export'], { DATA_DIR: stage.env['DATA_DIR'] ?? '' });
  expect(out).toContain(`"name":"web-eu","key":"instance:1186668/76/${euId}@eu"`);
});

it('a rollout goes to the account of each of its targets', async () => {
  const card = await propose('/cloud reboot --each tier=eu --pause 0s');
  const [, button = ''] =
    /"text":"(Reboot[^"]*)"/u.exec(JSON.stringify(card.blocks.filter(({ type }) => type === 'actions'))) ??
    [];
  expect(
    await added('rebootInstance', async () => {
      await stage.press('U0ALICE', card, button);
      await until(async () => (await calls('rebootInstance')).slice(0, 2).join() === '1,2');
    }),
  ).toEqual([1, 1, 0]);
});

it('an id that bellhop.yaml does not list, and a list without --account, are of the account of the environment', async () => {
  expect(await added('listFloatingIps', () => answerTo('/cloud ips'))).toEqual([1, 0, 0]);
  expect(await added('listFloatingIps', () => answerTo('/cloud ips --account eu'))).toEqual([0, 1, 0]);
  const refused = await answerTo('/cloud ips --account eux');
  expect(refused.text).toContain('bellhop.yaml lists no account “eux”. Did you mean “eu”?');
  const card = await propose('/cloud reboot 1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10');
  expect(JSON.stringify(card.blocks)).not.toContain('account eu');
  const listed = await propose(`/cloud reboot 1186668/76/${euId}`);
  expect(JSON.stringify(listed.blocks)).toContain('account eu');
});

it('the breaker, the metrics and the status of one account say nothing of another', async () => {
  await control(eu, 'PUT', 'faults/listFloatingIps', { status: 503 });
  for (let times = 0; times < 3; times += 1) await answerTo('/cloud ips --account eu');
  const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /bellhop_service_answers_total\{area="cloud",result="failed",account="eu"\} [1-9]|bellhop_service_answers_total\{account="eu",area="cloud",result="failed"\} [1-9]/u,
  );
  expect(metrics).toContain('bellhop_service_answers_total{area="cloud",result="failed"} 0');
  expect((await answerTo('/cloud ips')).text).toContain('Floating IPs');
  const status = JSON.stringify((await answerTo('/bellhop status')).blocks);
  expect(status).toMatch(/account eu: (?:calls to \/cloud are paused|the last call)/u);
  expect(status).toContain('Account eu last failed');
});

it('a rotated key counts with the next call: both while two are given, then the new one', async () => {
  writeFileSync(join(secrets, 'us'), 'not-yet-known,key-of-us');
  expect((await answerTo('/cloud ips --account us')).text).toContain('Floating IPs');
  writeFileSync(join(secrets, 'us'), 'wrong-key');
  expect((await answerTo('/cloud ips --account us')).text).not.toContain('Floating IPs');
  const ready = await (await fetch(`${stage.botUrl}/readyz`)).text();
  expect(ready).toContain('"service key us (cloud)":{"ok":false');
  expect(ready).toContain('check accounts.us.key');
  writeFileSync(join(secrets, 'us'), 'key-of-us');
  expect((await answerTo('/cloud ips --account us')).text).toContain('Floating IPs');
});

it.each([
  ['a target that moved to another account', () => rules({ account: 'us' })],
  ['an account that moved to another address', () => rules({ euUrl: us.url })],
])('%s between the card and the click is not what was confirmed', async (_, changed) => {
  await reload(rules());
  const card = await propose('/cloud reboot web-eu');
  await reload(changed());
  expect(
    await added('rebootInstance', async () => {
      await stage.press('U0ALICE', card, 'Reboot web-eu');
      await becomes(card, 'refused');
    }),
  ).toEqual([0, 0, 0]);
});

it('after a crash the account is asked that the change was sent to', async () => {
  await reload(rules());
  await control(eu, 'PUT', 'faults/rebootInstance', { hang: true });
  const card = await propose('/cloud reboot web-eu');
  await stage.recorded(card);
  const [, before = 0] = await calls('rebootInstance');
  await stage.press('U0ALICE', card, 'Reboot web-eu');
  await until(async () => (await calls('rebootInstance'))[1] === before + 1);
  await stage.bot.end('SIGKILL');
  await control(eu, 'DELETE', 'faults');
  expect(
    await added('readInstance', async () => {
      await stage.restart();
      const unknown = await becomes(card, 'unknown');
      await stage.press('U0ALICE', unknown, 'Check now');
      await until(async () => ((await calls('readInstance'))[1] ?? 0) > 0);
    }),
    // The changes of earlier tests are still followed in the first account.
  ).toEqual([expect.any(Number), expect.any(Number), 0]);
  expect((await calls('rebootInstance'))[1]).toBe(before + 1);
});
