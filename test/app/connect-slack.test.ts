import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Config } from '../../src/config/config.ts';
import { startWorkspace, type Workspace } from '../../playground/workspace/start-workspace.ts';
import type { SlackContext } from '../../src/slack/listeners/context.ts';
import type { Inbox } from '../../src/slack/receive/inbox.ts';
import { connectSlack } from '../../src/app/connect-slack.ts';
import type { Endpoints } from '../../src/app/endpoints.ts';
import { gesture } from '../program/workspace-page.ts';
import { recordingLog } from '../slack/receive/receiving-app.ts';

const root = join(import.meta.dirname, '../..');

let dataDir: string;
let workspace: Workspace;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellhop-connect-'));
  workspace = await startWorkspace({
    port: 0,
    dataDir,
    botToken: 'xoxb-test',
    signingSecret: 'secret',
    appToken: 'xapp-test',
    manifestPath: join(root, 'manifest.json'),
  });
});
afterEach(async () => {
  await workspace.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a connection that is closed takes nothing from Slack any more over Socket Mode', async () => {
  const acknowledged: string[] = [];
  const slack = {
    botToken: 'xoxb-test',
    signingSecret: 'secret',
    appToken: 'xapp-test',
    apiUrl: `${workspace.url}/api/`,
  };
  const connection = await connectSlack(
    { host: '127.0.0.1', port: 0 } as Config,
    { slack } as Endpoints,
    recordingLog(),
    { newAsk: (work) => work(), within: (_, work) => work(), current: () => undefined },
    {},
    { accept: () => Promise.resolve({ first: false, done: () => undefined }) } as Partial<Inbox> as Inbox,
    {
      onConnected: () => undefined,
      onAnswer: (kind) => acknowledged.push(kind),
      onCall: () => undefined,
      onRefused: () => undefined,
    },
  );
  await connection.listen({} as SlackContext);
  const ask = { as: 'U0ALICE', channel: 'C0OPS', text: '/cloud ips' };
  expect(await gesture(workspace, 'send', ask)).toEqual({ ok: true });
  await connection.close();
  expect(await gesture(workspace, 'send', ask)).toMatchObject({ ok: false, error: 'dispatch_failed' });
  expect(acknowledged).toEqual(['command']);
});
