import { afterEach, beforeEach, expect, it } from 'vitest';

import { receiveAlerts } from '../../../src/features/alerts/group/receive.ts';
import { resolvedKind } from '../../../src/features/alerts/group/group-due.ts';
import type { Hook } from '../../../src/features/alerts/group/section.ts';
import { alerts } from '../../../src/features/alerts/index.ts';
import { createResolvedHandler } from '../../../src/features/alerts/resolved.ts';
import type { Host } from '../../../src/host/feature.ts';
import { cardKind } from '../../../src/model/records/due.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { runTypedCommand } from '../../../src/run/run-command.ts';
import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

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
let handler: ReturnType<typeof createResolvedHandler>;
beforeEach(async () => {
  boxes = await openBoxes();
  posted = [];
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
  handler = createResolvedHandler(parts as unknown as Host);
});
afterEach(() => boxes.close());

/** Receives the state of the alert of an instance, and shows its message. */
async function report(status: 'firing' | 'resolved', instance = 'web-1'): Promise<void> {
  const labels = { alertname: 'InstanceDown', instance };
  const firing = status === 'firing' ? 1 : 0;
  const content = { title: 'InstanceDown', on: [instance], alerts: [{ status, labels }], firing, total: 1 };
  const update = { key: instance, status, digest: status, content };
  await receiveAlerts({ ...boxes.context, store: boxes.store }, 'grafana', hook, update);
  const found = await boxes.store.findOfferOf('grafana', instance);
  const message = await boxes.store.findOffer(found?.messageId ?? '');
  if (message && message.ts === undefined)
    await boxes.store.markOfferShown(message, { channel, ts: `${instance}.1` });
}

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

async function work(): Promise<void> {
  const now = boxes.clock.now();
  for (const one of await boxes.store.claimDue(new Map([[resolvedKind, 100]]), now, 30_000))
    await boxes.store.finishDue(one, await handler.handle(one), now);
}

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
