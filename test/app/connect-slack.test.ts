import { join } from 'node:path';

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

import { startWorkspace, type Workspace } from '../../playground/workspace/start-workspace.ts';
import type { SlackContext } from '../../src/slack/messages/context.ts';
import type { Inbox } from '../../src/slack/receive/inbox.ts';
import { createGrantedScopes } from '../../src/slack/web-api/scopes.ts';
import { connectSlack } from '../../src/app/connect-slack.ts';
import { startRelay } from '../program/relay.ts';
import { gesture } from '../program/workspace-page.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { recordingLog } from '../log.ts';

const root = join(import.meta.dirname, '../..');
const context = {
  gates: [] as const,
  offers: [] as const,
  buttons: {},
  forms: {},
} as unknown as SlackContext;

let dataDir: string;
let workspace: Workspace;
beforeEach(async () => {
  dataDir = temporaryFolder();
  workspace = await startWorkspace({
    port: 0,
    dataDir,
    botToken: 'xoxb-test',
    signingSecret: 'secret',
    appToken: 'xapp-test',
    manifestPath: join(root, 'manifest.json'),
  });
});
afterEach(() => workspace.close());

const connect = (url: string, onAnswer: (kind: string) => unknown = () => undefined) =>
  connectSlack({
    config: { host: '127.0.0.1', port: 0 },
    slack: {
      botToken: () => 'xoxb-test',
      signingSecrets: () => ['secret'],
      appToken: () => 'xapp-test',
      apiUrl: `${url}/api/`,
    },
    log: recordingLog(),
    correlation: { start: (work) => work('c-1') },
    routes: {},
    untilItPasses: (step) => step(),
    inbox: {
      accept: () => Promise.resolve({ first: false, done: () => undefined }),
    } as Partial<Inbox> as Inbox,
    watch: {
      onSignature: () => undefined,
      endOldOutage: () => undefined,
      onConnected: () => undefined,
      onConnections: () => undefined,
      onAnswer: (kind) => onAnswer(kind),
      afterCall: () => undefined,
      onDate: () => undefined,
      clockIsRight: () => true,
      scopes: createGrantedScopes(recordingLog()),
      onRefused: () => undefined,
    },
  });

test('a connection that is closed takes nothing from Slack any more over Socket Mode', async () => {
  const acknowledged: string[] = [];
  const connection = await connect(workspace.url, (kind) => acknowledged.push(kind));
  await connection.listen(context, []);
  const ask = { as: 'U0ALICE', channel: 'C0OPS', text: '/cloud ips' };
  expect(await gesture(workspace, 'send', ask)).toEqual({ ok: true });
  await connection.close();
  expect(await gesture(workspace, 'send', ask)).toMatchObject({ ok: false, error: 'dispatch_failed' });
  expect(acknowledged).toEqual(['command']);
});

test.each([
  ['invalid_auth', /did not accept SLACK_APP_TOKEN: invalid_auth\. Generate an app-level token/u],
  ['internal_error', /SLACK_APP_TOKEN: internal_error\. Look the code up at .*apps\.connections\.open/u],
])('where Slack answers %s to both connections, the start says what to do', async (code, advice) => {
  const answer = Buffer.from(JSON.stringify({ ok: false, error: code }));
  const relay = await startRelay(
    () => workspace.url,
    async ({ path }, forward) =>
      path.endsWith('apps.connections.open')
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: answer }
        : forward(),
  );
  onTestFinished(() => relay.close());
  const connection = await connect(relay.url);
  onTestFinished(() => connection.close());
  await expect(connection.listen(context, [])).rejects.toThrow(advice);
});
