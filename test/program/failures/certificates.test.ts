import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { makeAuthority } from '../../certificates.ts';
import { startConnectProxy, startTlsBefore } from '../../connect-proxy.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { startProblems, startProcess } from '../bot-process.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Stage } from '../stage.ts';

const authority = makeAuthority();
const right = authority.issue(['api.example.com', 'localhost']);
const expired = authority.issue(['api.example.com', 'localhost'], [-30, -1]);
const ours = join(temporaryFolder(), 'ca.pem');
writeFileSync(ours, authority.cert);

/** The service at https://api.example.com, which only the proxy of the company reaches. */
let stage: Stage;
let tls: Awaited<ReturnType<typeof startTlsBefore>>;
let proxy: Awaited<ReturnType<typeof startConnectProxy>>;
beforeAll(async () => {
  tls = await startTlsBefore(() => Number(new URL(stage.service.url).port), right);
  proxy = await startConnectProxy(() => tls.port);
  const network = {
    API_BASE_URL: 'https://api.example.com',
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: ours,
  };
  stage = await setStage({ env: { LOG_LEVEL: 'info', ...network } });
});
afterAll(async () => {
  await stage.close();
  await proxy.close();
  await tls.close();
});

const readySchema = z.object({
  ready: z.boolean(),
  parts: z.record(z.string(), z.looseObject({ ok: z.boolean(), lastError: z.string().optional() })),
});
const outgoing = (at: Stage, ok: boolean) =>
  until(async () => {
    const { ready, parts } = readySchema.parse(await (await fetch(`${at.botUrl}/readyz`)).json());
    const part = parts['outgoing connections'];
    return part?.ok === ok ? { ready, problem: part.lastError } : undefined;
  });

/** A reboot that was requested and confirmed. */
async function reboot(target: string) {
  await stage.say('U0ALICE', `/cloud reboot ${target}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${target}: proposed`));
  await stage.press('U0ALICE', card, `Reboot ${target}`);
  return async (end: string): Promise<string> => {
    const ended = await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes(end));
    return JSON.stringify(ended.blocks);
  };
}

const hasExpired =
  'TLS certificate of api.example.com has expired (CERT_HAS_EXPIRED). Renew it, or set the clock of this machine';

it('a certificate that expires is named in Slack, in the log, in the status and in /readyz, and nothing is sent', async () => {
  await (
    await reboot('web-1')
  )('succeeded');
  expect(proxy.asked).toContain('api.example.com:443');
  const before = await stage.calls('rebootInstance');

  tls.show(expired);
  const failed = await (await reboot('web-2'))('failed');
  expect(failed).toContain(`The ${hasExpired}.`);
  expect(await outgoing(stage, false)).toEqual({ ready: true, problem: `the ${hasExpired}` });
  await stage.say('U0ALICE', '/bellhop status');
  await stage.seen('U0ALICE', ({ text }) => text.includes('Problems: ') && text.includes(hasExpired));
  const lines = stage.bot
    .output()
    .split('\n')
    .filter((line) => line.includes('outgoing connection blocked'));
  expect(lines).toEqual([expect.stringContaining('"host":"api.example.com"')]);
  expect(await stage.calls('rebootInstance')).toBe(before);

  tls.show(right);
  // Seen without a call to the service.
  expect((await outgoing(stage, true)).ready).toBe(true);
  expect(await stage.calls('rebootInstance')).toBe(before);
  await (
    await reboot('web-2')
  )('succeeded');
  expect(await stage.calls('rebootInstance')).toBe(before + 1);
});

it('a proxy that refuses leaves a change not sent, and one that loses it leaves it unknown, sent once', async () => {
  const before = await stage.calls('rebootInstance');
  proxy.behave(407);
  const failed = await (await reboot('web-1'))('failed');
  expect(failed).toContain(
    'The proxy in HTTPS_PROXY did not open a connection to api.example.com (407). Check HTTPS_PROXY',
  );
  expect(await stage.calls('rebootInstance')).toBe(before);

  proxy.behave('open');
  await stage.fault('rebootInstance', { delay_ms: 30_000 });
  const lost = await reboot('web-2');
  await until(async () => (await stage.calls('rebootInstance')) === before + 1);
  proxy.cut();
  await lost('unknown');
  await stage.clearFaults();
  expect(await stage.calls('rebootInstance')).toBe(before + 1);
});

it('a failing start names Slack’s host and the fault of its certificate', async () => {
  tls.show(expired);
  onTestFinished(() => tls.show(right));
  const env = {
    ...stage.env,
    LOG_LEVEL: 'error',
    SLACK_API_URL: `https://localhost:${tls.port}/api/`,
    PORT: '0',
    DATA_DIR: temporaryFolder(),
  };
  const bot = await startProcess(env);
  expect(await bot.exited).toBe(1);
  expect(startProblems(bot)[1]).toBe(
    `Slack at https://localhost:${tls.port}/api/ cannot be reached: the TLS certificate of localhost:${tls.port} has expired (CERT_HAS_EXPIRED). Renew it, or set the clock of this machine.`,
  );
});

it('a start names the login whose certificate is wrong', async () => {
  proxy.behave('open');
  const login = `identity: { issuer: 'https://login.example.com', client_id: bellhop, client_secret: secret:oidc }\n`;
  const env = {
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: ours,
    BELLHOP_SECRET_OIDC: 'of-the-login',
    PUBLIC_URL: 'https://bellhop.example.com',
  };
  const other = await setStage({ rulebook: `${exampleRulebook({})}\n${login}`, env });
  onTestFinished(() => other.close());
  const problem =
    'the TLS certificate of login.example.com is for another host (ERR_TLS_CERT_ALTNAME_INVALID). Use the host name that is in its certificate';
  expect(await outgoing(other, false)).toEqual({ ready: true, problem });
  await until(() => other.bot.output().includes('no one can sign in now'));
  expect(other.bot.output()).toContain(`"host":"login.example.com","problem":"${problem}"`);
});
