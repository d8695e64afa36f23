import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { cardKind, type Due, dueKind, type Handler, type Outcome } from '../../src/model/records/due.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { createDrivenClock, type DrivenClock } from '../driven-clock.ts';
import { aProposal, aRequest, aStep } from '../store/sample-request.ts';
import { dueQueue } from './due-queue.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from '../store/open-store.ts';

const minute = 60_000;
const hour = 60 * minute;

let dataDir: string;
let store: Store;
let clock: DrivenClock;
let logged: string[];
beforeEach(async () => {
  dataDir = temporaryFolder();
  store = await openStore({ dataDir });
  clock = createDrivenClock();
  logged = [];
});
afterEach(() => store.close());

const note = (_: object, message: string): void => void logged.push(message);
const log = { info: note, warn: note, error: note };

const done: Outcome = { done: true };

/** Handles each row as the test says, and remembers the handled ones. */
function handler(handle: (due: Due) => Promise<Outcome>, rest: Partial<Handler> = {}) {
  const handled: string[] = [];
  const kept: Handler = {
    kind: cardKind,
    atOnce: 10,
    trouble: 'it went wrong',
    ...rest,
    handle(due) {
      handled.push(`${due.key} v${due.version}`);
      return handle(due);
    },
  };
  return { handled, handler: kept };
}

/** A replica that handles cards with this handler. */
const replica = (one: Handler) => dueQueue(store, clock, [one], { log });

const heldBack = () => ({ afterMs: 30_000, quiet: true });

/** A request whose card any replica may show. */
async function cardDue() {
  const request = aRequest({ expiresAt: clock.now() + 10 * hour });
  await store.propose(aProposal(request, { at: clock.now() - 12_000 }));
  return request;
}

describe('due work', () => {
  it('is done once by two replicas', async () => {
    await cardDue();
    const { handled, handler: card } = handler(async () => done);
    const replicas = [replica(card), replica(card)];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(replicas.map((one) => one.work()));
      await clock.advance(hour);
    }
    expect(handled).toHaveLength(1);
  });

  it('comes again when it asked to', async () => {
    await cardDue();
    const { handled, handler: card } = handler(async () => ({ againIn: minute }));
    const queue = replica(card);
    for (const [ms, times] of [
      [0, 1],
      [minute - 1, 1],
      [1, 2],
      [minute, 3],
    ] as const) {
      await clock.advance(ms);
      await queue.work();
      expect(handled).toHaveLength(times);
    }
  });

  it('that always fails is tried with pauses that grow to five minutes, and given up if that was said', async () => {
    await cardDue();
    const failing = handler(() => Promise.reject(new Error('no')), { giveUpAfterMs: 24 * hour });
    const queue = replica(failing.handler);
    const at: number[] = [];
    const begun = clock.now();
    while (clock.now() - begun < 26 * hour) {
      const before = failing.handled.length;
      await queue.work();
      if (failing.handled.length > before) at.push(clock.now() - begun);
      await clock.advance(10_000);
    }
    expect(at.slice(0, 4)).toEqual([0, 10_000, 30_000, 60_000]);
    expect(at.at(-1)).toBeLessThan(24 * hour + 6 * minute);
    expect(at.length).toBeGreaterThan(24 * 11);
    expect(logged.at(-1)).toBe('it went wrong; giving up');
    const { due } = await store.tally(clock.now());
    expect(due.filter(({ kind }) => kind === 'card')).toEqual([]);
  }, 60_000);

  it('waits for as long as the error asks', async () => {
    await cardDue();
    const failing = handler(() => Promise.reject(new Error('later')));
    const queue = dueQueue(store, clock, [failing.handler], { log, delayOf: heldBack });
    await queue.work();
    await clock.advance(29_999);
    await queue.work();
    expect(failing.handled).toHaveLength(1);
    await clock.advance(1);
    await queue.work();
    expect(failing.handled).toHaveLength(2);
    expect(logged).toEqual([]);
  });

  it('that hangs holds up nothing else, and is done by another once its claim is over', async () => {
    const [stuck, other] = [await cardDue(), await cardDue()];
    const hanging = handler(({ key }) =>
      key === stuck.id ? new Promise(() => undefined) : Promise.resolve(done),
    );
    const queue = replica(hanging.handler);
    await queue.round();
    await expect.poll(() => hanging.handled).toContain(`${other.id} v1`);
    await clock.advance(29_000);
    const healthy = handler(async () => done);
    await replica(healthy.handler).work();
    expect(healthy.handled).toEqual([]);
    await clock.advance(1_000);
    await replica(healthy.handler).work();
    expect(healthy.handled).toEqual([`${stuck.id} v1`]);
    expect(logged).toEqual(['due work takes too long; retrying']);
  });

  it('of which a newer version comes while it is done is done again, by the process that wrote it', async () => {
    const request = await cardDue();
    const first = Promise.withResolvers<Outcome>();
    const { handled, handler: card } = handler(({ version }) =>
      version === 1 ? first.promise : Promise.resolve(done),
    );
    const queue = replica(card);
    await queue.round();
    await store.advance(aStep(request, 'cancelled', { at: clock.now() }));
    expect(queue.now({ kind: cardKind, key: request.id, version: 2 })).toBe(true);
    expect(queue.now({ kind: cardKind, key: request.id, version: 2 })).toBe(false);
    first.resolve(done);
    await queue.handled(cardKind, request.id);
    expect(handled).toEqual([`${request.id} v1`, `${request.id} v2`]);
    await clock.advance(hour);
    await queue.work();
    expect(handled).toHaveLength(2);
  });

  it('is limited per kind, and the rest follows without waiting for the next round', async () => {
    for (let made = 0; made < 7; made += 1) await cardDue();
    let [now, most] = [0, 0];
    const { handled, handler: card } = handler(
      async () => {
        now += 1;
        most = Math.max(most, now);
        await Promise.resolve();
        now -= 1;
        return done;
      },
      { atOnce: 3 },
    );
    await replica(card).round();
    await expect.poll(() => handled.length).toBe(7);
    expect(most).toBe(3);
  });

  it('is claimed at once where someone says that something is', async () => {
    const { handled, handler: card } = handler(async () => done);
    const queue = replica(card);
    const { id } = await cardDue();
    queue.wake();
    await expect.poll(() => handled).toEqual([`${id} v1`]);
  });

  it('by the clock is left alone while that is wrong, and the rest is not', async () => {
    const { id } = await cardDue();
    let right = false;
    const [card, deadline] = [
      handler(async () => done),
      handler(async () => done, { kind: dueKind('deadline'), byClock: true }),
    ];
    const handlers = [card.handler, deadline.handler];
    const queue = dueQueue(store, clock, handlers, { log, clockIsRight: () => right });
    await clock.advance(11 * hour);
    await queue.work();
    expect([card.handled, deadline.handled]).toEqual([[`${id} v1`], []]);
    right = true;
    await queue.work();
    expect(deadline.handled).toEqual([`${id} v1`]);
  });

  it('that others renew is not claimed for ten seconds after the store was away', async () => {
    await cardDue();
    let away = true;
    const refusing: Store = {
      ...store,
      claimDue: (...given) =>
        away
          ? Promise.reject(new BellhopError('store-unavailable', 'The store is away.'))
          : store.claimDue(...given),
    };
    const { handled, handler: card } = handler(async () => done, { renewed: true });
    const queue = dueQueue(refusing, clock, [card], { log });
    await expect(queue.round()).rejects.toThrow('away');
    away = false;
    await clock.advance(9_999);
    await queue.work();
    expect(handled).toEqual([]);
    await clock.advance(1);
    await queue.work();
    expect(handled).toHaveLength(1);
  });

  it('that could not be settled is done again once its claim is over', async () => {
    await cardDue();
    let away = true;
    const forgetting: Store = {
      ...store,
      finishDue: (...given) => (away ? Promise.reject(new Error('away')) : store.finishDue(...given)),
    };
    const { handled, handler: card } = handler(async () => done);
    const queue = dueQueue(forgetting, clock, [card], { log });
    await queue.work();
    away = false;
    await clock.advance(30_000);
    await queue.work();
    await clock.advance(hour);
    await queue.work();
    expect(handled).toHaveLength(2);
  });
});
