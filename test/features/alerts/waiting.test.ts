import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { receiveAlerts } from '../../../src/features/alerts/group/receive.ts';
import type { Hook } from '../../../src/features/alerts/group/section.ts';
import { alerts } from '../../../src/features/alerts/index.ts';
import { createThreadHandler } from '../../../src/features/alerts/changes.ts';
import { createTurnHandler } from '../../../src/features/alerts/resolved.ts';
import type { Host } from '../../../src/host/feature.ts';
import { cardKind } from '../../../src/model/records/due.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { runTypedCommand } from '../../../src/run/run-command.ts';
import { callerOf } from '../../core.ts';
import { recordingLog } from '../../log.ts';
import { people } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';
import { workDue } from '../../due/work-due.ts';

// A change that waits for people when its alert is resolved.

const channel = 'C0INC42';
const hook: Hook = {
  secret: 'secret:grafana-hook',
  channel,
  kind: 'alertmanager',
  targetLabel: 'instance',
  reads: [],
  ownForMs: 1,
  buttons: [],
};

let boxes: BoxStage;
let posted: { readonly text: string; readonly thread: string | undefined }[];
let handler: ReturnType<typeof createTurnHandler>;
beforeEach(async () => {
  boxes = await openBoxes();
  posted = [];
  shown = 0;
  const parts = {
    ...boxes.context,
    clock: boxes.clock,
    store: boxes.store,
    disclaimers: [],
    api: {
      postMessage: async (_: string, { text }: { text: string }, thread?: string) =>
        void posted.push({ text, thread }),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the handler uses
  handler = createTurnHandler(parts as unknown as Host);
});
afterEach(() => boxes.close());

interface Reported {
  readonly title?: string;
  /** Whether the hook knows the instance as a target. Such an alert has a new message when it fires again. */
  readonly isTarget?: boolean;
  readonly since?: number;
}

/** Receives the state of the alert of an instance, and shows its message. */
async function report(
  status: 'firing' | 'resolved',
  instance = 'web-1',
  { title = 'InstanceDown', isTarget = false, since }: Reported = {},
): Promise<void> {
  const labels = { alertname: title, instance };
  const firing = status === 'firing' ? 1 : 0;
  const targets = isTarget && firing ? [instance] : undefined;
  const content = { title, on: [instance], targets, since, alerts: [{ status, labels }], firing, total: 1 };
  const update = { key: `${title} ${instance}`, status, digest: status, content };
  await receiveAlerts({ ...boxes.context, store: boxes.store }, 'grafana', hook, update);
  const found = await boxes.store.findOfferOf('grafana', update.key);
  const message = await boxes.store.findOffer(found?.messageId ?? '');
  if (!message) return;
  if (message.ts === undefined) shown += 1;
  await boxes.store.markOfferShown(message, { channel, ts: message.ts ?? `${instance}.${shown}` });
}

let shown = 0;

async function kick(thread: string | undefined, target = 'web-1'): Promise<Request> {
  const caller = callerOf(people.alice, channel);
  const place = { ...caller.place, thread };
  const result = await runTypedCommand(boxes.context, { ...caller, place }, 'box', `kick ${target}`);
  if (result.kind !== 'request') throw new Error(result.kind);
  await boxes.store.markCardShown(result.request.id, 1, { channel, ts: `${target}.2`, thread });
  return result.request;
}

/** The cards that are due, which are then shown. */
async function cardsDue(): Promise<readonly string[]> {
  const now = boxes.clock.now();
  const due = await boxes.store.claimDue(new Map([[cardKind, 100]]), now, 30_000);
  for (const one of due) await boxes.store.finishDue(one, { done: true }, now);
  return due.map(({ key }) => key);
}

const work = () => workDue(boxes.store, boxes.clock.now(), handler);

const linesOn = (request: Request) => alerts.cardLines?.({ ...boxes.context, store: boxes.store })(request);

it('says so on its card, which is drawn again, and mentions the requester once in the thread', async () => {
  await report('firing');
  const request = await kick('web-1.1');
  const other = await kick(undefined, 'web-2');
  await boxes.clock.advance(20_000);
  expect(await cardsDue()).toEqual([request.id, other.id]);
  expect(await linesOn(request)).toEqual([]);
  await report('resolved');
  await work();
  await work();
  expect(posted).toEqual([
    {
      text:
        '<@U0ALICE> ✅ InstanceDown on web-1 is resolved. ' +
        'You have not confirmed *Kick web-1* (staging); cancel it if it is not needed.',
      thread: 'web-1.1',
    },
  ]);
  expect(await cardsDue()).toEqual([request.id]);
  const at = boxes.clock.now();
  expect(await linesOn(request)).toEqual([['✅ The alert was resolved ', { at }, '. Still kick web-1?']]);
  expect(await linesOn(other)).toEqual([]);
});

it('says that it still needs approval', async () => {
  boxes.rules(
    boxes.rulebook.policy.rules.map((one) => ({ ...one, effect: 'approve', approvers: ['leads'] })),
  );
  await report('firing');
  await kick('web-1.1');
  await report('resolved');
  await work();
  expect(posted.map(({ text }) => text)).toEqual([
    '<@U0ALICE> ✅ InstanceDown on web-1 is resolved. *Kick web-1* (staging) still needs approval; cancel it if it is not needed.',
  ]);
});

it('has its card drawn again although it is being drawn when the alert is resolved', async () => {
  await report('firing');
  const request = await kick('web-1.1');
  const now = boxes.clock.now();
  await boxes.clock.advance(20_000);
  const [drawn] = await boxes.store.claimDue(new Map([[cardKind, 1]]), now + 20_000, 30_000);
  if (!drawn) throw new Error('no card is due');
  await report('resolved');
  await work();
  await boxes.store.finishDue(drawn, { done: true }, boxes.clock.now());
  expect(await cardsDue()).toEqual([request.id]);
});

it('has its card left to the process that posts it', async () => {
  await report('firing');
  const caller = callerOf(people.alice, channel);
  const place = { ...caller.place, thread: 'web-1.1' };
  await runTypedCommand(boxes.context, { ...caller, place }, 'box', 'kick web-1');
  await report('resolved');
  await work();
  expect(posted).toHaveLength(1);
  expect(await cardsDue()).toEqual([]);
});

const parts = (title: string, at: number) => [[`🔴 ${title} on web-1 has been firing since `, { at }, '.']];

/** A change that waits in the thread of an alert that has been resolved. */
async function waitsSinceResolved(isTarget: boolean): Promise<Request> {
  await report('firing', 'web-1', { isTarget });
  await work();
  const request = await kick('web-1.1');
  await boxes.clock.advance(20_000);
  await report('resolved', 'web-1', { isTarget });
  await work();
  await boxes.clock.advance(60_000);
  await cardsDue();
  posted = [];
  return request;
}

describe('an alert that fires again while a change waits', () => {
  it.each([
    ['in the same message', false],
    ['in a new message', true],
  ])('%s, is on its card, which is drawn again, and once in its thread', async (_, isTarget) => {
    const request = await waitsSinceResolved(isTarget);
    const at = boxes.clock.now();
    await report('firing', 'web-1', { isTarget, since: at });
    await work();
    await work();
    expect(posted.map(({ thread }) => thread)).toEqual(['web-1.1']);
    expect(posted[0]?.text.replaceAll(/<!date[^>]*>/gu, 'then')).toBe(
      '<@U0ALICE> 🔴 InstanceDown on web-1 has been firing since then. You have not confirmed *Kick web-1* (staging).',
    );
    expect(await cardsDue()).toEqual([request.id]);
    expect(await linesOn(request)).toEqual(parts('InstanceDown', at));
    await boxes.clock.advance(20_000);
    await report('resolved', 'web-1', { isTarget });
    await work();
    expect(await cardsDue()).toEqual([request.id]);
    expect(JSON.stringify(await linesOn(request))).not.toContain('been firing');
  });

  it('is any alert of its target', async () => {
    const request = await waitsSinceResolved(true);
    const at = boxes.clock.now();
    await report('firing', 'web-2', { title: 'DiskFull', isTarget: true });
    await report('firing', 'web-1', { title: 'DiskFull', isTarget: true });
    await work();
    expect(posted.map(({ thread }) => thread)).toEqual(['web-1.1']);
    expect(await linesOn(request)).toEqual(parts('DiskFull', at));
  });

  it('is not one that has fired since before the change, nor one of a change outside of threads', async () => {
    await report('firing', 'web-1', { isTarget: true });
    const request = await kick('web-1.1');
    const other = await kick(undefined, 'web-2');
    await boxes.clock.advance(20_000);
    await report('firing', 'web-2', { isTarget: true });
    await work();
    expect(posted).toEqual([]);
    expect(await linesOn(request)).toEqual([]);
    expect(await linesOn(other)).toEqual([]);
  });
});

const newer = () => boxes.store.findOfferOf('grafana', 'InstanceDown web-1');

const draw = async (id = '') => {
  const message = await boxes.store.findOffer(id);
  const api = { permalink: ({ ts }: { ts: string }) => Promise.resolve(`https://chat.example/${ts}`) };
  const ports = { ...boxes.context, store: boxes.store, disclaimers: [], log: recordingLog(), api };
  return message && (await alerts.offers?.render(ports, message));
};
const lines = async () => JSON.stringify((await draw((await newer())?.messageId))?.blocks);
const version = async (id = '') => (await boxes.store.findOffer(id))?.version ?? 0;

/** Does the work on threads that is due, and resolves to how often the newer message was made due for that. */
const redrawn = async (): Promise<number> => {
  const id = (await newer())?.messageId;
  const before = await version(id);
  await workDue(
    boxes.store,
    boxes.clock.now(),
    createThreadHandler({ store: boxes.store, clock: boxes.clock }),
  );
  return (await version(id)) - before;
};

describe('on the newer message of an alert that fires again', () => {
  it('a change in the earlier thread is linked, and followed until it ends', async () => {
    const answer = Promise.withResolvers<string>();
    boxes.service.kick = () => answer.promise;
    const request = await waitsSinceResolved(true);
    const left = (await newer())?.messageId;
    await redrawn();
    await report('firing', 'web-1', { isTarget: true, since: boxes.clock.now() });
    const earlier = '<https://chat.example/web-1.2|the earlier thread>';
    expect(await lines()).toContain(`👉 <@U0ALICE> is confirming *Kick web-1* (staging) in ${earlier}`);
    expect(await draw((await newer())?.messageId)).toMatchObject({ isUnderWay: true });
    await boxes.click('alice', request, 'confirm');
    await boxes.becomes(request, 'running');
    expect(await redrawn()).toBe(1);
    expect(await lines()).toContain('🔄 *Kick web-1* (staging) by <@U0ALICE>, running since');
    answer.reject(new Error('lost'));
    await boxes.becomes(request, 'unknown');
    expect(await redrawn()).toBe(1);
    expect(await lines()).toContain(`by <@U0ALICE>: outcome unknown, see ${earlier}`);
    expect(await draw((await newer())?.messageId)).toMatchObject({ isUnderWay: true });

    const stub = await draw(left);
    expect(stub?.text).toBe('Fires again below: InstanceDown on web-1');
    expect(JSON.stringify(stub?.blocks)).toContain(
      'Fires again: <https://chat.example/web-1.2|open the newer message>',
    );
  });

  it.each(['firing', 'resolved'] as const)(
    'that is %s, a change that has just ended is shown for an hour',
    async (status) => {
      const answer = Promise.withResolvers<string>();
      boxes.service.kick = () => answer.promise;
      const request = await waitsSinceResolved(true);
      await boxes.click('alice', request, 'confirm');
      await report('firing', 'web-1', { isTarget: true, since: boxes.clock.now() });
      await boxes.clock.advance(20_000);
      if (status === 'resolved') await report('resolved', 'web-1', { isTarget: true });
      await redrawn();
      answer.resolve('moved');
      await boxes.becomes(request, 'succeeded');
      expect(await redrawn()).toBe(1);
      expect(await lines()).toContain('✅ *Kick web-1* (staging) by <@U0ALICE> succeeded at');
      expect(await draw((await newer())?.messageId)).toMatchObject({ isUnderWay: false });
      if (status === 'firing') await report('resolved', 'web-1', { isTarget: true });
      await boxes.clock.advance(2 * 60 * 60_000);
      await report('firing', 'web-1', { isTarget: true, since: boxes.clock.now() });
      expect(await lines()).not.toContain('U0ALICE');
    },
  );

  it('the changes that ended before it fired are shown as such, also those outside of its threads', async () => {
    const request = await waitsSinceResolved(true);
    await boxes.click('alice', request, 'confirm');
    await boxes.becomes(request, 'succeeded');
    await boxes.clock.advance(60_000);
    const another = await kick(undefined);
    await boxes.click('alice', another, 'confirm');
    await boxes.becomes(another, 'succeeded');
    await boxes.clock.advance(60_000);
    await report('firing', 'web-1', { isTarget: true, since: boxes.clock.now() });
    const before = /Before this alert: ✅ \*Kick web-1\* \(staging\) by <@U0ALICE> succeeded at/gu;
    expect((await lines()).match(before)).toHaveLength(2);
  });
});
