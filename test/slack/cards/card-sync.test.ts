import { describe, expect, it } from 'vitest';

import { dueKind, type Outcome } from '../../../src/model/records/due.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { createCardSync } from '../../../src/slack/cards/card-sync.ts';
import type { MessageRef } from '../../../src/model/values/actor.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { silentLog } from '../../log.ts';
import { aRequest } from '../../sample-request.ts';

/** Cards on a Slack that accepts everything, and a store that decides whether a card is recorded as shown. */
function cards(
  rows: ReadonlyMap<string, Request>,
  recorded: (id: string, version: number, shown: MessageRef) => Promise<boolean>,
  takesReplies = true,
) {
  const texts: string[] = [];
  const outcomes: Outcome[] = [];
  const show = (text: string): void => void texts.push(text);
  const clock = createDrivenClock();
  const queue = dueQueue(
    {
      claimDue: () => Promise.resolve([]),
      setDue: () => Promise.resolve(),
      countDue: () => Promise.resolve(1),
      findDue: () => Promise.resolve(undefined),
      finishDue: (_, outcome) => Promise.resolve(void outcomes.push(outcome)),
    },
    clock,
    [],
  );
  const sync = createCardSync({
    api: {
      postMessage: async (channel, { text }, thread) => {
        if (thread !== undefined && !takesReplies)
          throw new SlackError('chat.postMessage', 'thread_not_found', { retryable: false, sent: false });
        show(text);
        return { channel, ts: '1.000001', thread };
      },
      updateMessage: async (_, { text }) => show(text),
      deleteMessage: async ({ ts }) => show(`${ts} removed`),
    },
    answers: { permalink: async () => '' },
    store: {
      find: async (id) => rows.get(id),
      findCard: async () => undefined,
      async markCardShown(id, version, shown, finished) {
        const isNewest = await recorded(id, version, shown);
        if (isNewest && finished) outcomes.push(finished.outcome);
        return isNewest;
      },
    },
    queue,
    clock,
    log: silentLog,
    render: ({ version }, unanswered) => ({
      text: `version ${version}${unanswered ? ' unanswered' : ''}`,
      blocks: [],
    }),
  });
  queue.handle(sync.handler);
  const again = (key: string, version = 1): Promise<Outcome> =>
    sync.handler.handle({
      kind: dueKind('card'),
      key,
      version,
      since: 0,
      claimedAt: clock.now(),
      tries: 1,
    });
  return { sync, texts, outcomes, clock, again };
}

const turns = Array.from({ length: 12 }, (_, number) => number);

describe('a card of what the service does not answer', () => {
  const startedAt = 1_763_700_000_000;
  const running = aRequest({ version: 2, state: 'running', startedAt });

  it('says so after five seconds, once', async () => {
    const rows = new Map<string, Request>();
    const { sync, texts, outcomes, clock, again } = cards(rows, async () => true);
    const begun = { ...running, startedAt: clock.now() };
    rows.set(begun.id, begun);
    sync.changed(begun);
    await sync.shown(begun.id);
    expect([texts, outcomes]).toEqual([['version 2'], [{ againIn: 5000 }]]);
    await clock.advance(5000);
    await again(begun.id);
    expect(outcomes.at(-1)).toEqual({ done: true });
    expect(texts).toEqual(['version 2', 'version 2 unanswered']);
  });

  const posted = { channel: 'C0OPS', ts: '1.000001' };

  it('is not recorded where the step has made the card due again', async () => {
    const rows = new Map<string, Request>();
    const { sync, texts, outcomes, clock, again } = cards(rows, async () => true);
    const begun = { ...running, startedAt: clock.now(), card: posted };
    rows.set(begun.id, begun);
    sync.changed(begun);
    await sync.shown(begun.id);
    expect([texts, outcomes]).toEqual([['version 2'], []]);
    await clock.advance(5000);
    expect(await again(begun.id)).toEqual({ recorded: true });
    expect([texts.at(-1), outcomes]).toEqual(['version 2 unanswered', [{ done: true }]]);
  });

  it('shows the end that another process has recorded meanwhile', async () => {
    const rows = new Map<string, Request>();
    const { sync, texts, outcomes, clock } = cards(rows, async () => true);
    const begun = { ...running, startedAt: clock.now(), card: posted };
    rows.set(begun.id, { ...begun, version: 3, state: 'unknown' });
    sync.changed(begun);
    await sync.shown(begun.id);
    expect([texts, outcomes]).toEqual([['version 2', 'version 3'], [{ done: true }]]);
  });

  it('says nothing of it once there is an answer, or if the service works on it', async () => {
    const { sync, outcomes, clock } = cards(new Map(), async () => true);
    const begun = { ...running, startedAt: clock.now() };
    sync.changed({ ...begun, version: 3, state: 'unknown' });
    sync.changed({ ...begun, id: 'r-2', version: 4, outcome: { tasks: { ids: ['t-1'] } } });
    for (const id of [begun.id, 'r-2']) await sync.shown(id);
    expect(outcomes).toEqual([{ done: true }, { done: true }]);
  });
});

describe('a card', () => {
  it.each(turns)(
    'shows a state that comes %i turns after the one before was recorded, without waiting for a round of repairs',
    async (after) => {
      const [first, second] = [aRequest({ version: 1 }), aRequest({ version: 2 })];
      const recording = Promise.withResolvers<boolean>();
      const { sync, texts } = cards(new Map([[first.id, second]]), () => recording.promise);
      sync.changed(first);
      await new Promise((resolve) => setImmediate(resolve));
      recording.resolve(true);
      for (let turn = 0; turn < after; turn += 1) await Promise.resolve();
      sync.changed(second);
      await sync.shown(second.id);
      expect(texts).toEqual(['version 1', 'version 2']);
    },
  );

  it('shows a step that comes while the card is drawn again without a step', async () => {
    const [first, second] = [aRequest({ version: 1 }), aRequest({ version: 2 })];
    const rows = new Map([[first.id, first]]);
    const { texts, again } = cards(rows, async () => rows.set(second.id, second).size > 0);
    await again(first.id, 2);
    expect(texts).toEqual(['version 1', 'version 2']);
  });

  it.each([
    ['in the thread of its command', true, '1.000000'],
    ['in the channel where that thread takes no replies', false, undefined],
  ])('is posted %s', async (_, takesReplies, thread) => {
    const asked = aRequest({ place: { team: 'T0LOCAL', channel: 'C0OPS', thread: '1.000000' } });
    const shown: MessageRef[] = [];
    const recorded = async (_id: string, _version: number, message: MessageRef) => shown.push(message) > 0;
    const { sync } = cards(new Map([[asked.id, asked]]), recorded, takesReplies);
    sync.changed(asked);
    expect(await sync.shown(asked.id)).toBeUndefined();
    expect(shown).toEqual([{ channel: 'C0OPS', ts: '1.000001', thread }]);
  });

  it('shows what waited although the one before could not be recorded at all', async () => {
    const [first, second] = [aRequest({ version: 1 }), aRequest({ version: 2 })];
    const recording = Promise.withResolvers<boolean>();
    const { sync, texts } = cards(new Map([[first.id, second]]), () => recording.promise);
    sync.changed(first);
    await new Promise((resolve) => setImmediate(resolve));
    sync.changed(second);
    recording.reject(new Error('the store is away'));
    await sync.shown(second.id);
    expect(texts).toEqual(['version 1', 'version 2']);
  });
});
