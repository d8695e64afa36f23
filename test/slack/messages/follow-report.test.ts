import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

import type { CommandResult } from '../../../src/run/run-command.ts';
import { createBackgroundTasks } from '../../../src/request/steps/background-tasks.ts';
import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { createFollowedReports } from '../../../src/slack/messages/follow-report.ts';
import type { FollowableReport } from '../../../src/slack/messages/followed-message.ts';
import type { MessageBlock } from '../../../src/slack/render/blocks.ts';
import { createSlackLanes } from '../../../src/slack/web-api/lanes.ts';
import { systemClock } from '../../../src/app/process/system-clock.ts';
import { alice, openStage, type Stage } from '../../operations/stage.ts';
import { until } from '../../until.ts';
import { outline } from '../outline.ts';

const stateSchema = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      messages: z.array(z.object({ ts: z.string(), blocks: z.array(z.unknown()) })),
    }),
  ),
});
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c-follow' };
const step = 5_000;

async function openWorkspace(): Promise<Workspace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-follow-'));
  const workspace = await startWorkspace({
    port: 0,
    dataDir,
    botToken: 'xoxb-follow',
    signingSecret: 'signing-follow',
    manifestPath: join(import.meta.dirname, '../../../manifest.json'),
  });
  onTestFinished(async () => {
    await workspace.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return workspace;
}

/** What Bellhop wrote in #ops, a text a message. */
async function read(workspace: Workspace): Promise<readonly string[]> {
  const response = await fetch(`${workspace.url}/_workspace/state?as=U0ALICE&session=follow`);
  const { channels } = stateSchema.parse(await response.json());
  const messages = channels.find(({ id }) => id === 'C0OPS')?.messages ?? [];
  return messages
    .map(({ blocks }) => outline(blocks as MessageBlock[]))
    .filter((text) => text.includes('Container'));
}

async function openFollowing() {
  const [stage, workspace] = await Promise.all([openStage(), openWorkspace()]);
  const lanes = createSlackLanes({
    token: 'xoxb-follow',
    slackApiUrl: `${workspace.url}/api/`,
    clock: systemClock,
    log,
  });
  onTestFinished(() => lanes.close());
  const backgroundTasks = createBackgroundTasks(systemClock, log);
  const followedReports = createFollowedReports({
    context: stage.context,
    api: lanes.background,
    clock: stage.clock,
    ids: { request: () => 'r', correlation: () => 'c-again', claim: () => 'claim' },
    log,
    backgroundTasks,
    notices: [],
  });
  const said = async (text: string) =>
    until(async () => {
      const messages = await read(workspace);
      return messages.some((message) => message.includes(text)) ? messages : undefined;
    });
  return {
    stage,
    workspace,
    followedReports,
    backgroundTasks,
    said,
    /** Time passes; each look at the service is waited for. */
    pass: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += step) {
        await stage.clock.advance(step);
        await until(async () => {
          const idle = stage.clock.waiting() > 0 || (await backgroundTasks.drained(0));
          return idle ? true : undefined;
        });
      }
    },
    follow: async (line: string) => followedReports.follow(caller, followed(await stage.ask(line))),
  };
}

function followed(answer: CommandResult): FollowableReport {
  if (answer.kind !== 'report' || answer.words === undefined) throw new Error('it is not to be followed');
  return { ...answer, words: answer.words };
}

/** What the audit log says, oldest first: event, outcome, note. */
async function entries(stage: Stage): Promise<readonly string[]> {
  const newestFirst = await stage.store.audit({ limit: 100 });
  return newestFirst
    .toReversed()
    .map(({ event, outcome, note }) => [event, outcome, note].filter((word) => word !== undefined).join(' '));
}

describe('an answer that is followed', () => {
  test('is one message, edited until all are ready', async () => {
    const { follow, pass, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    const [first] = await said('0 of 3 ready');
    expect(first?.split('\n').filter((line) => /Following|button/u.test(line))).toMatchInlineSnapshot(`
      [
        "small: 👀 Following until <!date^1795230600^{time}|03:10 UTC>: looked at every 5 s.",
        "button: [Refresh] read:refresh={"words":"/cloud container thumbnails --follow","page":0}",
      ]
    `);
    await pass(20_000);
    expect(await said('1 of 3 ready')).toHaveLength(1);
    await pass(40_000);
    const [last, ...others] = await said('3 of 3 ready');
    expect(others).toEqual([]);
    expect(last).toContain('Done: no longer followed.');
    expect(last).toContain('[Refresh]');
    expect(await backgroundTasks.drained(1_000)).toBe(true);
  });

  test('is left alone after ten minutes', async () => {
    const { follow, pass, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container feed-import --region 180 --follow');
    await pass(10 * 60_000);
    const [last] = await said('Followed for 10 minutes, and it is not done. Press Refresh to look again.');
    expect(last).not.toContain('Following until');
    expect(await backgroundTasks.drained(1_000)).toBe(true);
  });

  test('that is there already is posted once', async () => {
    const { follow, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container checkout --follow');
    expect(await said('What it waits for is there already: not followed.')).toHaveLength(1);
    expect(await backgroundTasks.drained(1_000)).toBe(true);
  });

  test('says so when Bellhop stops', async () => {
    const { follow, followedReports, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    followedReports.stop();
    expect(await said('Bellhop stops: no longer followed.')).toHaveLength(1);
    expect(await backgroundTasks.drained(1_000)).toBe(true);
  });

  test('ends with the reason where the service no longer answers', async () => {
    const { follow, pass, stage, said } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    await stage.control('PUT', 'faults/getContainer', { status: 404, body: { message: 'it is <gone>' } });
    await pass(step);
    const [last] = await said('No longer followed: it is &lt;gone&gt;. The service answered');
    expect(last).toContain('404 Not Found');
  });

  test('is followed once in a channel, and no more than ten at once', async () => {
    const { follow, followedReports, stage } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    await expect(follow('/cloud container thumbnails --follow')).rejects.toThrow('followed here already');
    const answer = followed(await stage.ask('/cloud container thumbnails --follow'));
    const elsewhere = (channel: number) =>
      followedReports.follow(caller, { ...answer, words: `${answer.words} --project 1186668 #${channel}` });
    for (let channel = 2; channel <= 10; channel += 1) await elsewhere(channel);
    await expect(elsewhere(11)).rejects.toThrow('10 answers are being followed already');
    followedReports.stop();
  });

  test('has one audit entry at its beginning and one at its end, none a round', async () => {
    const { follow, pass, stage, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    await pass(60_000);
    await said('Done: no longer followed.');
    await backgroundTasks.drained(1_000);
    expect(await entries(stage)).toEqual(['read answered', 'read answered']);
  });

  test('says in the entry at its end that nothing came in time', async () => {
    const { follow, pass, stage, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container feed-import --region 180 --follow');
    await pass(10 * 60_000);
    await said('Followed for 10 minutes');
    await backgroundTasks.drained(1_000);
    expect(await entries(stage)).toEqual(['read answered', 'read answered followed for 10 minutes']);
    const [last] = await stage.store.audit({ limit: 1 });
    expect(last).toMatchObject({
      actor: alice,
      operation: 'cloud.container',
      input: { name: 'feed-import', region: 180, follow: true },
      target: { name: 'feed-import' },
    });
  });

  test('says in the entry at its end that Bellhop stopped', async () => {
    const { follow, followedReports, stage, backgroundTasks } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    followedReports.stop();
    await backgroundTasks.drained(1_000);
    expect(await entries(stage)).toEqual(['read answered', 'read answered followed until Bellhop stopped']);
  });

  test('ends with one entry where the service fails', async () => {
    const { follow, pass, stage, said, backgroundTasks } = await openFollowing();
    await follow('/cloud container thumbnails --follow');
    await stage.control('PUT', 'faults/getContainer', { status: 404, body: { message: 'gone' } });
    await pass(step);
    await said('No longer followed: gone');
    await backgroundTasks.drained(1_000);
    expect(await entries(stage)).toEqual(['read answered', expect.stringMatching(/^read failed /u)]);
  });

  test('is authorized anew each round: one that is denied ends it, with its entry', async () => {
    const { followedReports, pass, stage, said, backgroundTasks } = await openFollowing();
    const answer = followed(await stage.ask('/cloud container thumbnails --follow'));
    const stranger = { team: 'T0ELSEWHERE', user: 'U0STRANGER' };
    await followedReports.follow({ ...caller, actor: stranger }, answer);
    await pass(2 * step);
    await said('No longer followed:');
    await backgroundTasks.drained(1_000);
    expect(await entries(stage)).toEqual(['read answered', 'denied']);
  });
});
