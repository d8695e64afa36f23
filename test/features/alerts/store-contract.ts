import { describe, expect, it } from 'vitest';

import { readAlert } from '../../../src/features/alerts/group/record.ts';
import type { OfferMessage } from '../../../src/model/records/offer.ts';
import type { Store } from '../../../src/store/store.ts';
import { received } from './sample-alert.ts';
import { claim, claimed, type Opened, pass } from '../../store/contract/opened.ts';
import { dueKind } from '../../../src/model/records/due.ts';

const minute = 60_000;
const posted = (ts: string) => ({ channel: 'C0INC42', ts });

/** Messages whose shown version is outdated, claimed for long, the oldest first. */
async function behind(store: Store, limit = 10): Promise<readonly OfferMessage[]> {
  const messages: OfferMessage[] = [];
  for (const key of await claimed(store, 'alert', limit)) {
    const message = await store.findOffer(key);
    if (message && message.shownVersion < message.version) messages.push(message);
  }
  return messages.toSorted((one, other) => one.openedAt - other.openedAt || (one.id < other.id ? -1 : 1));
}

/** Marks a message as shown where it was posted, and makes it due again in a second. */
async function show(store: Store, message: OfferMessage, ts: string): Promise<void> {
  await store.markOfferShown(message, posted(ts));
  await store.finishDue(
    { kind: dueKind('alert'), key: message.id, version: message.version, claimedAt: 0 },
    { againIn: 1000 },
    Date.now(),
  );
}

export function alertsContract(stores: () => Opened): void {
  describe('an alert', () => {
    it('has one message, shown by one replica, edited as it changes, with an entry for each change', async () => {
      const { one, other } = stores();
      expect(await one.foldOffer(received())).toMatchObject({ kind: 'open', in: 'message' });
      const claims = await Promise.all([behind(one), behind(other)]);
      const [message, ...more] = claims.flat();
      expect(more).toEqual([]);
      if (!message) throw new Error('no message was due');
      expect(message).toMatchObject({ source: 'grafana', version: 1, group: { status: 'firing' } });
      await show(one, message, '1.1');
      expect(await other.findOfferAt(posted('1.1'))).toMatchObject({ id: message.id, ts: '1.1' });
      expect(await other.findOfferAt(posted('1.2'))).toBeUndefined();
      await pass(stores(), 1001);
      expect(await behind(other)).toEqual([]);

      // A repeated update changes nothing. Nor does an old firing that arrives after the end.
      expect(await other.foldOffer(received({}, { at: 1500 }))).toEqual({
        kind: 'nothing',
        why: 'repeated',
      });
      await pass(stores(), 100_000);
      expect(await behind(one)).toEqual([]);
      await one.finishDue(
        { kind: dueKind('alert'), key: message.id, version: 1, claimedAt: 0 },
        { againIn: 1000 },
        Date.now(),
      );
      expect(
        await other.foldOffer(received({ status: 'resolved', beginnings: 'web-1 02:58' }, { at: 1600 })),
      ).toEqual({
        kind: 'change',
      });
      const again = received({ beginnings: 'web-1 02:58' }, { at: 1700 });
      expect(await one.foldOffer(again)).toEqual({ kind: 'nothing', why: 'late' });

      expect(await behind(one)).toEqual([]);
      await pass(stores(), 1001);
      expect(await behind(one)).toMatchObject([
        { id: message.id, ts: '1.1', version: 2, group: { status: 'resolved', statusAt: 1600 } },
      ]);
      const notes = (await one.auditFrom(0, 10)).map(({ event, note }) => `${event} ${note}`);
      expect(notes).toEqual(['alert firing InstanceDown', 'alert resolved InstanceDown, fired']);
    });

    it('is shown again where a newer change came while it was being shown', async () => {
      const { one } = stores();
      await one.foldOffer(received());
      const [due] = await claim(one, 'alert');
      const [first] = due ? [await one.findOffer(due.key)] : [];
      await one.foldOffer(received({ status: 'resolved' }, { at: 1100 }));
      if (first) await one.markOfferShown(first, posted('1.1'));
      if (due) await one.finishDue(due, { againIn: 1000 }, Date.now());
      await pass(stores(), 1001);
      expect(await behind(one)).toMatchObject([{ version: 2, group: { status: 'resolved' } }]);
    });

    it('that fires again is shown where it was, or anew where it was over for half an hour', async () => {
      const { one } = stores();
      await one.foldOffer(received());
      await one.foldOffer(received({ status: 'resolved' }, { at: 2000 }));
      const soon = received({ digest: 'firing 2' }, { at: 2000 + 30 * minute });
      expect(await one.foldOffer(soon)).toEqual({ kind: 'change' });
      await one.foldOffer(received({ status: 'resolved', digest: 'resolved 2' }, { at: 40 * minute }));
      const late = received({ digest: 'firing 3' }, { at: 71 * minute });
      expect(await one.foldOffer(late)).toMatchObject({ kind: 'open', in: 'message' });
      const messages = await behind(one);
      expect(messages.map(({ group }) => group?.status)).toEqual([undefined, 'firing']);
    });

    it('that gets worse has a new message, to which the old one leads, whether it had one or was in a storm', async () => {
      const { one } = stores();
      for (let at = 0; at < 8; at += 1)
        await one.foldOffer(received({ key: `group ${at}`, severity: 'warning' }));
      for (const message of await behind(one)) await show(one, message, message.id);
      await pass(stores(), 1001);
      const worse = { severity: 'critical', digest: 'firing 2' };
      const own = received({ ...worse, key: 'group 0' }, { at: 2000 });
      const folded = received({ ...worse, key: 'group 7' }, { at: 2001 });
      for (const each of [own, folded])
        expect(await one.foldOffer(each)).toMatchObject({ kind: 'open', in: 'message', tier: 'critical' });
      const [first, storm, ...anew] = await behind(one);
      expect([first, storm]).toMatchObject([
        { moved: { content: { title: 'InstanceDown' }, newer: { messageId: own.messageId } } },
        { storm: { firing: 2, total: 2 } },
      ]);
      expect(anew).toMatchObject([
        { id: own.messageId, ts: undefined, group: { content: { severity: 'critical' } } },
        { id: folded.messageId, ts: undefined, group: { content: { severity: 'critical' } } },
      ]);
      // The same rank again is not news, and neither is the end of that alert.
      const again = received({ ...worse, key: 'group 0', digest: 'firing 3' }, { at: 2002 });
      expect(await one.foldOffer(again)).toEqual({ kind: 'change' });
    });

    it('in a storm is listed by how bad it is, then the newest first, while it fires', async () => {
      const { one } = stores();
      for (let at = 0; at < 5; at += 1) await one.foldOffer(received({ key: `group ${at}` }));
      const folded = [
        { key: 'a', title: 'DiskFull', severity: 'info' },
        { key: 'b', title: 'Slow', severity: 'warning' },
        { key: 'c', title: 'Slow', severity: 'error', targets: [] },
        { key: 'd', title: 'Late', severity: 'error' },
        { key: 'e', title: 'Gone', severity: 'error' },
      ];
      for (const [at, each] of folded.entries()) await one.foldOffer(received(each, { at: 2000 + at }));
      await one.foldOffer(received({ ...folded[4], status: 'resolved' }, { at: 3000 }));
      const messages = await behind(one);
      const [storm] = messages.flatMap((message) => message.storm ?? []);
      expect(storm).toMatchObject({ firing: 4, total: 5, tier: 'other' });
      expect(
        storm?.titles.map(({ title, firing, since, content }) => [
          title,
          readAlert(content)?.severity,
          firing,
          since,
        ]),
      ).toEqual([
        ['Late', 'error', 1, 2003],
        ['Slow', 'error', 2, 2002],
        ['DiskFull', 'info', 1, 2000],
      ]);
    });

    it('of which only the end arrives is not shown', async () => {
      const { one } = stores();
      const end = received({ status: 'resolved' });
      expect(await one.foldOffer(end)).toEqual({ kind: 'nothing', why: 'ended' });
      expect(await behind(one)).toEqual([]);
    });

    it('among many is folded into one message for all of them, whichever replica takes it in', async () => {
      const { one, other } = stores();
      const groups = Array.from({ length: 60 }, (_, at) => ({
        key: `group ${at}`,
        title: at % 3 === 0 ? 'DiskFull' : 'InstanceDown',
      }));
      await Promise.all(
        groups.map((group, at) => (at % 2 === 0 ? one : other).foldOffer(received(group, { at: 1000 + at }))),
      );
      const messages = await behind(one, 100);
      expect(messages.filter(({ group }) => group)).toHaveLength(5);
      expect(messages.filter(({ storm }) => storm)).toMatchObject([{ storm: { firing: 55, total: 55 } }]);
      expect(messages).toHaveLength(6);

      await pass(stores(), 100_000);
      const ends = groups.map((group) => received({ ...group, status: 'resolved' }, { at: 6000 }));
      await Promise.all(ends.map((end, at) => (at % 2 === 0 ? other : one).foldOffer(end)));
      const after = await behind(one, 100);
      const [storm] = after.flatMap((message) => message.storm ?? []);
      expect(storm).toMatchObject({ firing: 0, total: 55, titles: [] });
      const events = (await one.auditFrom(0, 100)).map(({ event }) => event);
      expect(events.filter((event) => event === 'alert firing')).toHaveLength(6);
      expect(events.filter((event) => event === 'alert resolved')).toHaveLength(6);
    });

    it('comes in a message of its own again, once a storm was quiet for ten minutes', async () => {
      const { one } = stores();
      for (let at = 0; at < 7; at += 1) await one.foldOffer(received({ key: `group ${at}` }));
      const folded = received({ key: 'in time' }, { at: 10 * minute });
      expect(await one.foldOffer(folded)).toMatchObject({ kind: 'open', in: 'storm' });
      const late = received({ key: 'later' }, { at: 21 * minute });
      expect(await one.foldOffer(late)).toMatchObject({ kind: 'open', in: 'message' });
    });

    it('of one hook has nothing to do with those of another', async () => {
      const { one } = stores();
      for (let at = 0; at < 7; at += 1) await one.foldOffer(received({ key: `group ${at}` }));
      const other = received({ key: 'group 0' }, { source: 'phones' });
      expect(await one.foldOffer(other)).toMatchObject({ kind: 'open', in: 'message' });
    });

    it('is kept until nothing was heard of it for long, and so is its message', async () => {
      const { one } = stores();
      const [first, second] = [received(), received({ key: 'two' }, { at: 2000 })];
      await one.foldOffer(first);
      await one.foldOffer(second);
      await one.foldOffer({ ...first, at: 3000 });
      expect(await one.removeOffers(2500, 10)).toBe(1);
      expect(await one.findOffer(second.messageId)).toBeUndefined();
      expect(await one.findOffer(first.messageId)).toMatchObject({ group: { status: 'firing' } });
      expect(await one.removeOffers(3000, 10)).toBe(1);
      expect(await one.findOffer(first.messageId)).toBeUndefined();
      expect(await one.foldOffer(received({}, { at: 4000 }))).toMatchObject({ kind: 'open' });
    });
  });
}
