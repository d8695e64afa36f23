import { join } from 'node:path';

import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { signatureHeaders } from '../../../playground/workspace/dispatch/sign.ts';
import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { commandBody, interactionBody, click, command } from '../../slack/receive/payload-samples.ts';
import { freePort } from '../../free-port.ts';
import { startProcess, type BotProcess } from '../bot-process.ts';
import { startRelay, type Relay } from '../relay.ts';
import { until } from '../../until.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const slack = { botToken: 'xoxb-overload', signingSecret: 'the-signing-secret-of-overload' };

/** More payloads than a replica accepts at a time. */
const asked = 1_300;

let dataDir: string;
let botUrl: string;
let workspace: Workspace;
let toSlack: Relay;
let bot: BotProcess;
let slackHangs = false;
beforeAll(async () => {
  dataDir = temporaryFolder();
  const port = await freePort();
  botUrl = `http://127.0.0.1:${port}`;
  workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    ...slack,
    manifestPath: join(root, 'manifest.json'),
    unlimited: true,
  });
  toSlack = await startRelay(
    () => workspace.url,
    async (_, forward) => (slackHangs ? () => undefined : forward()),
  );
  bot = await startProcess({
    API_BASE_URL: 'local',
    LOCAL_SERVICE_PORT: String(await freePort()),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: `${toSlack.url}/api/`,
    BELLHOP_CONFIG: join(root, 'examples/bellhop.example.yaml'),
    DATA_DIR: join(dataDir, 'bot'),
    PORT: String(port),
    LOG_LEVEL: 'error',
  });
});
afterAll(async () => {
  await bot.end('SIGKILL');
  for (const each of [toSlack, workspace]) await each.close();
});

interface Acknowledged {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

async function post(body: string): Promise<Acknowledged> {
  const began = performance.now();
  const reply = await request(`${botUrl}/slack/events`, {
    method: 'POST',
    // Each payload gets a new connection, because the bot closes idle ones.
    reset: true,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signatureHeaders(body, slack.signingSecret, Date.now()),
    },
    body,
  });
  return { status: reply.statusCode, text: await reply.body.text(), ms: performance.now() - began };
}

const ask = (id: string): Promise<Acknowledged> =>
  post(commandBody({ ...command, text: 'ips', trigger_id: id, response_url: `${toSlack.url}/answer/${id}` }));

const isBusy = ({ text }: Acknowledged): boolean => text.includes('Bellhop is overloaded');

it('refuses payloads beyond its room while Slack hangs, in words, within the time that Slack gives', async () => {
  slackHangs = true;
  const acks = await Promise.all(Array.from({ length: asked }, (_, number) => ask(`hanging-${number}`)));
  const busy = acks.filter(isBusy);
  expect(new Set(acks.map(({ status }) => status))).toEqual(new Set([200]));
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.length).toBeLessThan(asked);
  // Measured alone, because the time of a burst depends on the machine.
  const alone = await until(async () => {
    const ack = await ask(`alone-${performance.now()}`);
    return isBusy(ack) && ack;
  });
  expect(alone.ms).toBeLessThan(3_000);
  expect((await post(interactionBody(click))).status).toBe(503);
});

it('the bot takes everything again soon after Slack does', async () => {
  slackHangs = false;
  const taken = await until(
    async () => {
      const { text } = await ask(`again-${performance.now()}`);
      return text === '' ? true : undefined;
    },
    () => bot.output(),
  );
  expect(taken).toBe(true);
});
