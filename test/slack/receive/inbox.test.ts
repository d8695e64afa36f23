import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { deliveryKind } from '../../../src/model/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import {
  type DeliveryRecord,
  createInbox,
  createInterruptionHandler,
} from '../../../src/slack/receive/inbox.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { createDrivenClock, type DrivenClock } from '../../driven-clock.ts';
import { recordingLog } from '../../log.ts';
import { alice } from '../../people.ts';
import { openStore } from '../../store/open-store.ts';

let store: Store;
let clock: DrivenClock;
let clockIsRight: boolean;
const log = recordingLog();
beforeEach(async () => {
  store = await openStore({ dataDir: temporaryFolder() });
  clock = createDrivenClock();
  clockIsRight = true;
});
afterEach(() => store.close());

const command = (key: string, responseUrl?: string): DeliveryRecord => ({
  kind: 'command',
  key,
  waiting: {
    actor: alice,
    channel: 'C0OPS',
    what: 'your `/cloud` command',
    ...(responseUrl && { responseUrl }),
  },
});
const newInbox = (on: Store = store) =>
  createInbox({ store: on, clock, clockIsRight: () => clockIsRight, log });

/** Notifies, and resolves to who was notified, by which way. */
function notifier(on: Store = store): () => Promise<readonly string[]> {
  const ways: string[] = [];
  const way =
    (name: string) =>
    async (to: string, message: Message, thread = '') => {
      ways.push(`${name} ${to}${thread && ` in ${thread}`}: ${JSON.stringify(message)}`);
      return { channel: 'C', ts: '1' };
    };
  const api = {
    respond: async (url: string, message: Message) => void (await way('respond')(url, message)),
    postEphemeral: async (channel: string, _user: string, message: Message, thread?: string) =>
      void (await way('ephemeral')(channel, message, thread)),
    postMessage: way('message'),
    updateMessage: () => Promise.resolve(),
  };
  const queue = dueQueue(on, clock, [
    createInterruptionHandler({ inFlight: () => false, api, log, disclaimers: [] }),
  ]);
  return async () => {
    await queue.work();
    return ways.splice(0);
  };
}
const notified = (): Promise<readonly string[]> => notifier()();

describe('an accepted delivery', () => {
  it('is known again for fifteen minutes, by any replica', async () => {
    const first = newInbox();
    const taken = await first.accept(command('one'));
    expect(taken.first).toBe(true);
    expect((await newInbox().accept(command('one'))).first).toBe(false);
    taken.done();
    await clock.advance(1);
    await first.close();
    await clock.advance(15 * 60_000);
    expect((await newInbox().accept(command('one'))).first).toBe(true);
  });

  it('is reported to its sender once its process has been silent for 15 s, once, by the best way there is', async () => {
    const gone = newInbox();
    await gone.accept(command('by command', 'https://hooks.slack.com/one'));
    await gone.accept(command('in channel'));
    await gone.accept({
      ...command('at home'),
      waiting: { actor: alice, channel: alice.user, what: 'your click' },
    });
    await gone.accept({
      ...command('in thread'),
      waiting: { actor: alice, channel: 'C0OPS', thread: '1.000100', what: 'your command' },
    });
    await clock.advance(14_999);
    expect(await notified()).toEqual([]);
    await clock.advance(1);
    expect((await notified()).toSorted()).toEqual([
      expect.stringMatching(/^ephemeral C0OPS in 1\.000100: .*interrupted while handling your command/u),
      expect.stringMatching(/^ephemeral C0OPS: .*interrupted while handling your `\/cloud` command/u),
      expect.stringMatching(/^message U0ALICE: .*interrupted while handling your click/u),
      expect.stringMatching(
        /^respond https:\/\/hooks\.slack\.com\/one: .*may or may not have run.*look for its card or reply/u,
      ),
    ]);
    await clock.advance(60_000);
    expect(await notified()).toEqual([]);
  });

  it('is never said not to have run by a process that did not handle it', async () => {
    await newInbox().accept(command('by command', 'https://hooks.slack.com/one'));
    await clock.advance(15_000);
    expect((await notified()).join()).not.toMatch(/nothing was|not run|not sent/iu);
  });

  it('is not reported while its process lives, nor once it is done', async () => {
    const inbox = newInbox();
    await inbox.accept(command('long'));
    const short = await inbox.accept(command('short'));
    short.done();
    for (let renewals = 0; renewals < 4; renewals += 1) {
      await clock.advance(5000);
      await inbox.renew();
      expect(await notified()).toEqual([]);
    }
    await clock.advance(15_000);
    expect(await notified()).toHaveLength(1);
  });

  it('is not reported right after the store was away, when no process could renew', async () => {
    let away = true;
    const back: Store = {
      ...store,
      claimDue: (...given) => (away ? refused() : store.claimDue(...given)),
    };
    const notify = notifier(back);
    await newInbox().accept(command('one'));
    await clock.advance(15_000);
    await expect(notify()).rejects.toThrow('away');
    away = false;
    await clock.advance(9_999);
    expect(await notify()).toEqual([]);
    await clock.advance(1);
    expect(await notify()).toHaveLength(1);
  });

  it('is closed with the step that it leads to, and not once more', async () => {
    const closed: string[] = [];
    const closing: Store = {
      ...store,
      closeDeliveries: async (held) => void closed.push(...held.map(({ key }) => key)),
    };
    const inbox = newInbox(closing);
    const [stepped, left] = [await inbox.accept(command('one')), await inbox.accept(command('two'))];
    expect([stepped.open?.key, left.open?.key]).toEqual(['one', 'two']);
    stepped.open?.closed();
    stepped.done();
    left.done();
    await expect.poll(() => closed).toEqual(['two']);
    await inbox.close();
    expect(closed).toEqual(['two']);
  });

  it('is closed once more if its step came so late that another process may have made it due meanwhile', async () => {
    const inbox = newInbox();
    const taken = await inbox.accept(command('one'));
    await clock.advance(15_000);
    // The other process commits right after the step has looked for due work to remove.
    const { open } = taken;
    if (!open) throw new Error('the store did not record it');
    await store.closeDeliveries([open]);
    open.closed();
    const { waiting } = command('one');
    const about = { ...waiting, at: clock.now() };
    await store.setDue([{ kind: deliveryKind, key: 'one', at: clock.now(), about }], clock.now());
    taken.done();
    await clock.advance(1);
    await inbox.close();
    expect(await notified()).toEqual([]);
  });

  it('is closed later if the store was away, and then no one is notified', async () => {
    let away = false;
    const leaving: Store = {
      ...store,
      closeDeliveries: (held) => (away ? refused() : store.closeDeliveries(held)),
    };
    const inbox = newInbox(leaving);
    const taken = await inbox.accept(command('one'));
    away = true;
    taken.done();
    await expect.poll(() => log.lines.at(-1)?.message).toBe('deliveries not closed yet, retrying later');
    await expect(inbox.renew()).rejects.toThrow('away');
    away = false;
    await inbox.close();
    await clock.advance(15_000);
    expect(await notified()).toEqual([]);
  });
});

describe('a replica whose clock is known to be wrong', () => {
  const hour = 60 * 60_000;

  it('takes no redelivery for the first, however far ahead it is', async () => {
    await newInbox().accept(command('one'));
    await clock.advance(hour);
    clockIsRight = false;
    expect((await newInbox().accept(command('one'))).first).toBe(false);
    expect((await newInbox().accept(command('two'))).first).toBe(true);
  });
});

describe('a long absence of the store', () => {
  it('leaves no more than twenty thousand deliveries to close, the newest', async () => {
    const closed = new Set<string>();
    let isAway = true;
    const away: Store = {
      ...store,
      claimOnce: () => Promise.resolve(true),
      closeDeliveries: async (held) => {
        if (isAway) await refused();
        for (const { key } of held) closed.add(key);
      },
    };
    const inbox = newInbox(away);
    for (let index = 0; index < 20_010; index += 1) (await inbox.accept(command(`k${index}`))).done();
    await expect(inbox.renew()).rejects.toThrow('away');
    isAway = false;
    await inbox.renew();
    expect([closed.size, closed.has('k9'), closed.has('k10')]).toEqual([20_000, false, true]);
  });
});

const refused = (): Promise<never> =>
  Promise.reject(new BellhopError('store-unavailable', 'The store is away.'));

describe('a delivery that the store could not record', () => {
  it('counts as the first, within a second, and as none when it comes again to the same process', async () => {
    const hanging: Store = { ...store, claimOnce: () => new Promise(() => undefined) };
    const inbox = newInbox(hanging);
    const taking = inbox.accept(command('one'));
    await clock.advance(1000);
    expect(await taking).toMatchObject({ first: true, open: undefined });
    expect((await inbox.accept(command('one'))).first).toBe(false);
  });

  it.each([
    ['no one else took it', false, true],
    ['its redelivery was taken meanwhile', true, false],
  ])('when it is rechecked and %s', async (_, redelivered, still) => {
    let away = true;
    const back: Store = {
      ...store,
      claimOnce: (...given) => (away ? refused() : store.claimOnce(...given)),
    };
    const inbox = newInbox(back);
    const { first, recheckDuplicate } = await inbox.accept(command('one'));
    expect(first).toBe(true);
    await expect(recheckDuplicate?.()).rejects.toMatchObject({ code: 'store-unavailable' });
    away = false;
    if (redelivered) await newInbox().accept(command('one'));
    expect(await recheckDuplicate?.()).toBe(still);
  });

  it('stays with the process that has it, so its sender is notified if that one dies', async () => {
    await newInbox().accept(command('one'));
    const late = Promise.withResolvers<boolean>();
    const slow: Store = { ...store, claimOnce: () => late.promise };
    const inbox = newInbox(slow);
    const taking = inbox.accept(command('one'));
    await clock.advance(1000);
    (await taking).done();
    late.resolve(store.claimOnce('one', clock.now(), 60_000));
    await clock.advance(1);
    await inbox.close();
    await clock.advance(15_000);
    expect(await notified()).toHaveLength(1);
  });

  it('is not rechecked where it was recorded', async () => {
    const inbox = newInbox();
    const { recheckDuplicate } = await inbox.accept(command('one'));
    expect(recheckDuplicate).toBeUndefined();
  });
});
