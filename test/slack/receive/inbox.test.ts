import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/core/model/errors.ts';
import type { Store } from '../../../src/core/model/ports.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import type { DeliveryRecord } from '../../../src/slack/receive/delivery.ts';
import { createInbox } from '../../../src/slack/receive/inbox.ts';
import { createInterruptionNotifier } from '../../../src/slack/receive/notify-interrupted.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { type DrivenClock, drivenClock, recordingLog } from './receiving-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'bellhop-inbox-'));
let store: Store;
let clock: DrivenClock;
const log = recordingLog();
beforeEach(async () => {
  store = await openStore({ dataDir: mkdtempSync(join(folder, 'store-')) });
  clock = drivenClock();
});
afterEach(() => store.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const actor = { team: 'T0LOCAL', user: 'U0ALICE' };
const command = (key: string, responseUrl?: string): DeliveryRecord => ({
  kind: 'command',
  key,
  waiting: { actor, channel: 'C0OPS', what: 'your `/cloud` command', ...(responseUrl && { responseUrl }) },
});
const newIntake = (on: Store = store) => createInbox({ store: on, clock, log });

/** Tells, and gives who was told, by which way. */
function teller(on: Store = store): () => Promise<readonly string[]> {
  const ways: string[] = [];
  const way =
    (name: string) =>
    async (to: string, ...rest: readonly unknown[]) => {
      ways.push(`${name} ${to}: ${JSON.stringify(rest.at(-1))}`);
      return { channel: 'C', ts: '1' };
    };
  const api = {
    respond: async (url: string, message: Message) => void (await way('respond')(url, message)),
    postEphemeral: async (channel: string, user: string, message: Message) =>
      void (await way('ephemeral')(channel, user, message)),
    postMessage: way('message'),
  };
  const tellLeft = createInterruptionNotifier({ store: on, api, clock, log, notices: [] });
  return async () => {
    await tellLeft();
    return ways.splice(0);
  };
}
const told = (): Promise<readonly string[]> => teller()();

describe('a payload that is taken in', () => {
  it('is known again for fifteen minutes, by any replica', async () => {
    expect((await newIntake().accept(command('one'))).first).toBe(true);
    expect((await newIntake().accept(command('one'))).first).toBe(false);
    clock.pass(15 * 60_000);
    expect((await newIntake().accept(command('one'))).first).toBe(true);
  });

  it('is told of once its process has been silent for 15 s, once, by the best way there is', async () => {
    const gone = newIntake();
    await gone.accept(command('by command', 'https://hooks.slack.com/one'));
    await gone.accept(command('in channel'));
    await gone.accept({
      ...command('at home'),
      waiting: { actor, channel: actor.user, what: 'your click' },
    });
    clock.pass(14_999);
    expect(await told()).toEqual([]);
    clock.pass(1);
    expect((await told()).toSorted()).toEqual([
      expect.stringMatching(/^ephemeral C0OPS: .*interrupted while it worked on your `\/cloud` command/u),
      expect.stringMatching(/^message U0ALICE: .*interrupted while it worked on your click/u),
      expect.stringMatching(/^respond https:\/\/hooks\.slack\.com\/one: .*nothing was done/u),
    ]);
    clock.pass(60_000);
    expect(await told()).toEqual([]);
  });

  it('is not told of while its process lives, nor once it is done with', async () => {
    const inbox = newIntake();
    await inbox.accept(command('long'));
    const short = await inbox.accept(command('short'));
    short.done();
    for (let renewals = 0; renewals < 4; renewals += 1) {
      clock.pass(5000);
      await inbox.renew();
      expect(await told()).toEqual([]);
    }
    clock.pass(15_000);
    expect(await told()).toHaveLength(1);
  });

  it('is not told of right after the store was away, when nobody could say that they live', async () => {
    let away = true;
    const back: Store = {
      ...store,
      claimOrphanedDeliveries: (...given) => (away ? refused() : store.claimOrphanedDeliveries(...given)),
    };
    const tell = teller(back);
    await newIntake().accept(command('one'));
    clock.pass(15_000);
    await expect(tell()).rejects.toThrow('away');
    away = false;
    clock.pass(9_999);
    expect(await tell()).toEqual([]);
    clock.pass(1);
    expect(await tell()).toHaveLength(1);
  });

  it('says that it is done with later, where the store was away, and then nobody is told', async () => {
    let away = false;
    const leaving: Store = {
      ...store,
      closeDeliveries: (keys) => (away ? refused() : store.closeDeliveries(keys)),
    };
    const inbox = newIntake(leaving);
    const taken = await inbox.accept(command('one'));
    away = true;
    taken.done();
    await expect.poll(() => log.lines.at(-1)?.message).toBe('that payloads were worked on is said later');
    await expect(inbox.renew()).rejects.toThrow('away');
    away = false;
    await inbox.close();
    clock.pass(15_000);
    expect(await told()).toEqual([]);
  });
});

describe('a long absence of the store', () => {
  it('leaves no more to be said than twenty thousand payloads, the newest', async () => {
    const closed = new Set<string>();
    let isAway = true;
    const away: Store = {
      ...store,
      claimOnce: () => Promise.resolve(true),
      closeDeliveries: async (keys) => {
        if (isAway) await refused();
        for (const key of keys) closed.add(key);
      },
    };
    const inbox = newIntake(away);
    for (let index = 0; index < 20_010; index += 1) (await inbox.accept(command(`k${index}`))).done();
    await expect(inbox.renew()).rejects.toThrow('away');
    isAway = false;
    await inbox.renew();
    expect([closed.size, closed.has('k9'), closed.has('k10')]).toEqual([20_000, false, true]);
  });
});

const refused = (): Promise<never> =>
  Promise.reject(new BellhopError('store-unavailable', 'The store is away.'));

describe('a payload that the store could not take', () => {
  it('counts as the first, within a second, and as none when it comes again to the same process', async () => {
    const hanging: Store = { ...store, claimOnce: () => new Promise(() => undefined) };
    const inbox = newIntake(hanging);
    const taking = inbox.accept(command('one'));
    clock.pass(1000);
    expect((await taking).first).toBe(true);
    expect((await inbox.accept(command('one'))).first).toBe(false);
  });

  it.each([
    ['nobody else took it', false, true],
    ['its redelivery was taken meanwhile', true, false],
  ])('when it asks again and %s', async (_, redelivered, still) => {
    let away = true;
    const back: Store = {
      ...store,
      claimOnce: (...given) => (away ? refused() : store.claimOnce(...given)),
    };
    const inbox = newIntake(back);
    expect((await inbox.accept(command('one'))).first).toBe(true);
    const askAgain = inbox.recheckDuplicate('one');
    await expect(askAgain?.()).rejects.toMatchObject({ code: 'store-unavailable' });
    away = false;
    if (redelivered) await newIntake().accept(command('one'));
    expect(await askAgain?.()).toBe(still);
  });

  it('is not asked for again where it was written down', async () => {
    const inbox = newIntake();
    await inbox.accept(command('one'));
    expect(inbox.recheckDuplicate('one')).toBeUndefined();
  });
});
