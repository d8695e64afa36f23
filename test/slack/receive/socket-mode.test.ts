import { once } from 'node:events';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { createSocketMode, type SocketMode } from '../../../src/slack/receive/socket-mode.ts';
import { overloadAnswer } from '../../../src/slack/receive/dispatch.ts';
import { systemClock } from '../../../src/app/process/this-process.ts';
import { gesture, lookAt } from '../../program/workspace-page.ts';
import { type Relay, startRelay } from '../../program/relay.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { recordingLog } from '../../log.ts';

const root = join(import.meta.dirname, '../../..');

let dataDir: string;
let workspace: Workspace;
let socket: SocketMode;
let answers: string[];
let delivered: string[];
let open: number[];
let counted: number[];
let problems: (string | undefined)[];
let relay: Relay;
/** The HTTP statuses with which the next attempts to connect are refused, in order. */
let troubles: number[];
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
  [answers, delivered, open, counted, problems, troubles] = [[], [], [], [], [], []];
  relay = await startRelay(
    () => workspace.url,
    async ({ path }, forward) => {
      const status = path.endsWith('apps.connections.open') ? troubles.shift() : undefined;
      return status === undefined || status === 200
        ? forward()
        : { status, headers: {}, body: Buffer.from('') };
    },
  );
  socket = createSocketMode({
    appToken: () => 'xapp-test',
    slackApiUrl: `${relay.url}/api/`,
    // Answers as a replica without room for another payload.
    dispatch: (payload) => {
      delivered.push(payload.kind);
      return Promise.resolve(
        'body' in payload ? overloadAnswer(payload) : { kind: payload.kind, status: 200 },
      );
    },
    ownTeam: 'T0LOCAL',
    clock: systemClock,
    log: recordingLog(),
    onConnections: (count, problem) => {
      open.push(count);
      problems.push(problem);
    },
    onAnswer: (kind, status) => answers.push(`${kind} ${status}`),
    onCounted: (connections) => counted.push(connections),
    onRefused: () => undefined,
  });
});
afterEach(async () => {
  await socket.stop();
  await relay.close();
  await workspace.close();
});

test('an overloaded bot answers commands over Socket Mode with “busy”, too', async () => {
  await socket.start();
  expect(await gesture(workspace, 'send', { as: 'U0ALICE', channel: 'C0OPS', text: '/cloud ips' })).toEqual({
    ok: true,
  });
  const { channels } = await lookAt(workspace, 'U0ALICE');
  const said = channels.find(({ id }) => id === 'C0OPS')?.messages.at(-1);
  expect(said?.ephemeral).toBe(true);
  expect(said?.text).toMatch(/^Bellhop is overloaded/u);
  expect(answers).toEqual(['busy 200']);
});

test('an event is not acknowledged, so that it comes again', async () => {
  await socket.start();
  await gesture(workspace, 'home', { as: 'U0ALICE' });
  await expect.poll(() => delivered).toEqual(['event_callback', 'event_callback']);
  expect(answers).toEqual(['busy 503', 'busy 503']);
});

test('one of two connections is enough to start, and the other one follows once Slack accepts it', async () => {
  troubles = [200, 503];
  await socket.start();
  await expect.poll(() => open).toEqual([1, 1, 2]);
  expect(problems).toContainEqual(expect.stringMatching(/^1 of 2 connections are open: .*http_503/u));
});

test('Slack’s count of connections includes those that another process holds', async () => {
  const asked = await fetch(`${workspace.url}/api/apps.connections.open`, {
    method: 'POST',
    headers: { authorization: 'Bearer xapp-test' },
  });
  const { url } = z.object({ url: z.string() }).parse(await asked.json());
  const other = new WebSocket(url);
  await once(other, 'message');
  await socket.start();
  await expect.poll(() => counted).toEqual([2, 3]);
  expect(open).toEqual([1, 2]);
  other.close();
});

test('the start fails if no connection can be opened, and none is opened later', async () => {
  troubles = [503, 503];
  await expect(socket.start()).rejects.toMatchObject({ slackCode: 'http_503' });
  expect(open).toEqual([]);
  expect(
    await gesture(workspace, 'send', { as: 'U0ALICE', channel: 'C0OPS', text: '/cloud ips' }),
  ).toMatchObject({
    ok: false,
  });
});
