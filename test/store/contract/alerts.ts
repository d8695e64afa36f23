import { describe, expect, it } from 'vitest';

import { received } from '../sample-alert.ts';
import type { Opened } from './opened.ts';

const minute = 60_000;
const posted = (ts: string) => ({ channel: 'C0INC42', ts });

export function alertsContract(stores: () => Opened): void {
  describe('an alert', () => {
    it('has one message, shown by one replica, edited as it changes, with an entry for each change', async () => {
      const { one, other } = stores();
      expect(await one.foldAlerts(received())).toMatchObject({ kind: 'open', in: 'message' });
      const claims = await Promise.all([
        one.claimAlertMessages(1000, 100, 5),
        other.claimAlertMessages(1000, 100, 5),
      ]);
      const [message, ...more] = claims.flat();
      expect(more).toEqual([]);
      if (!message) throw new Error('no message was due');
      expect(message).toMatchObject({ hook: 'grafana', version: 1, group: { status: 'firing' } });
      await one.markAlertShown(message, posted('1.1'), 2000);
      expect(await other.claimAlertMessages(5000, 100, 5)).toEqual([]);

      // The same once more changes nothing; nor does an old firing that comes after the end.
      expect(await other.foldAlerts(received({}, { at: 1500 }))).toEqual({
        kind: 'nothing',
        why: 'repeated',
      });
      expect(await one.claimAlertMessages(5000, 100, 5)).toEqual([]);
      expect(await other.foldAlerts(received({ status: 'resolved' }, { at: 1600 }))).toEqual({
        kind: 'change',
      });
      const again = received({ namesBeginnings: true }, { at: 1700 });
      expect(await one.foldAlerts(again)).toEqual({ kind: 'nothing', why: 'late' });

      expect(await one.claimAlertMessages(1999, 100, 5)).toEqual([]);
      expect(await one.claimAlertMessages(2000, 100, 5)).toMatchObject([
        { id: message.id, ts: '1.1', version: 2, group: { status: 'resolved', statusAt: 1600 } },
      ]);
      const notes = (await one.auditFrom(0, 10)).map(({ event, note }) => `${event} ${note}`);
      expect(notes).toEqual(['alert firing InstanceDown', 'alert resolved InstanceDown, fired']);
    });

    it('is shown again where a newer change came while it was being shown', async () => {
      const { one } = stores();
      await one.foldAlerts(received());
      const [first] = await one.claimAlertMessages(1000, 100, 5);
      await one.foldAlerts(received({ status: 'resolved' }, { at: 1100 }));
      if (first) await one.markAlertShown(first, posted('1.1'), 1200);
      expect(await one.claimAlertMessages(1200, 100, 5)).toMatchObject([
        { version: 2, group: { status: 'resolved' } },
      ]);
    });

    it('that failed to be shown is tried at its time, or at its next change where it was given up', async () => {
      const { one } = stores();
      await one.foldAlerts(received());
      const [message] = await one.claimAlertMessages(1000, 100, 5);
      await one.markAlertFailed(message?.id ?? '', 3000);
      expect(await one.claimAlertMessages(2999, 100, 5)).toEqual([]);
      expect(await one.claimAlertMessages(3000, 100, 5)).toHaveLength(1);
      await one.markAlertFailed(message?.id ?? '', undefined);
      expect(await one.claimAlertMessages(9000, 100, 5)).toEqual([]);
      await one.foldAlerts(received({ status: 'resolved' }, { at: 9500 }));
      expect(await one.claimAlertMessages(9500, 100, 5)).toHaveLength(1);
    });

    it('that fires again is shown where it was, or anew where it was over for half an hour', async () => {
      const { one } = stores();
      await one.foldAlerts(received());
      await one.foldAlerts(received({ status: 'resolved' }, { at: 2000 }));
      const soon = received({ digest: 'firing 2' }, { at: 2000 + 30 * minute });
      expect(await one.foldAlerts(soon)).toEqual({ kind: 'change' });
      await one.foldAlerts(received({ status: 'resolved', digest: 'resolved 2' }, { at: 40 * minute }));
      const late = received({ digest: 'firing 3' }, { at: 71 * minute });
      expect(await one.foldAlerts(late)).toMatchObject({ kind: 'open', in: 'message' });
      const messages = await one.claimAlertMessages(71 * minute, 100, 5);
      expect(messages.map(({ group }) => group?.status)).toEqual([undefined, 'firing']);
    });

    it('that gets worse has a new message, to which the old one leads, whether it had one or was in a storm', async () => {
      const { one } = stores();
      for (let at = 0; at < 8; at += 1)
        await one.foldAlerts(received({ key: `group ${at}`, severity: 'warning' }));
      for (const message of await one.claimAlertMessages(1000, 100, 10))
        await one.markAlertShown(message, posted(message.id), 1000);
      const worse = { severity: 'critical', digest: 'firing 2' };
      const own = received({ ...worse, key: 'group 0' }, { at: 2000 });
      const folded = received({ ...worse, key: 'group 7' }, { at: 2001 });
      for (const each of [own, folded])
        expect(await one.foldAlerts(each)).toMatchObject({ kind: 'open', in: 'message', tier: 'critical' });
      const [first, storm, ...anew] = await one.claimAlertMessages(2001, 100, 10);
      expect([first, storm]).toMatchObject([{ moved: 'InstanceDown' }, { storm: { firing: 2, total: 2 } }]);
      expect(anew).toMatchObject([
        { id: own.messageId, ts: undefined, group: { content: { severity: 'critical' } } },
        { id: folded.messageId, ts: undefined, group: { content: { severity: 'critical' } } },
      ]);
      // The same rank again is no news, nor is its end.
      const again = received({ ...worse, key: 'group 0', digest: 'firing 3' }, { at: 2002 });
      expect(await one.foldAlerts(again)).toEqual({ kind: 'change' });
    });

    it('in a storm is listed by how bad it is, then the newest first, while it fires', async () => {
      const { one } = stores();
      for (let at = 0; at < 5; at += 1) await one.foldAlerts(received({ key: `group ${at}` }));
      const folded = [
        { key: 'a', title: 'DiskFull', severity: 'info' },
        { key: 'b', title: 'Slow', severity: 'warning' },
        { key: 'c', title: 'Slow', severity: 'error', targets: [] },
        { key: 'd', title: 'Late', severity: 'error' },
        { key: 'e', title: 'Gone', severity: 'error' },
      ];
      for (const [at, each] of folded.entries()) await one.foldAlerts(received(each, { at: 2000 + at }));
      await one.foldAlerts(received({ ...folded[4], status: 'resolved' }, { at: 3000 }));
      const messages = await one.claimAlertMessages(5000, 100, 10);
      const [storm] = messages.flatMap((message) => message.storm ?? []);
      expect(storm).toMatchObject({ firing: 4, total: 5, tier: 'other' });
      expect(
        storm?.titles.map(({ title, firing, since, content }) => [title, content.severity, firing, since]),
      ).toEqual([
        ['Late', 'error', 1, 2003],
        ['Slow', 'error', 2, 2002],
        ['DiskFull', 'info', 1, 2000],
      ]);
    });

    it('of which only the end is heard is not told of', async () => {
      const { one } = stores();
      const end = received({ status: 'resolved' });
      expect(await one.foldAlerts(end)).toEqual({ kind: 'nothing', why: 'ended' });
      expect(await one.claimAlertMessages(5000, 100, 5)).toEqual([]);
    });

    it('among many is folded into one message for all of them, whichever replica takes it in', async () => {
      const { one, other } = stores();
      const groups = Array.from({ length: 60 }, (_, at) => ({
        key: `group ${at}`,
        title: at % 3 === 0 ? 'DiskFull' : 'InstanceDown',
      }));
      await Promise.all(
        groups.map((group, at) =>
          (at % 2 === 0 ? one : other).foldAlerts(received(group, { at: 1000 + at })),
        ),
      );
      const messages = await one.claimAlertMessages(5000, 100, 100);
      expect(messages.filter(({ group }) => group)).toHaveLength(5);
      expect(messages.filter(({ storm }) => storm)).toMatchObject([{ storm: { firing: 55, total: 55 } }]);
      expect(messages).toHaveLength(6);

      const ends = groups.map((group) => received({ ...group, status: 'resolved' }, { at: 6000 }));
      await Promise.all(ends.map((end, at) => (at % 2 === 0 ? other : one).foldAlerts(end)));
      const after = await one.claimAlertMessages(9000, 100, 100);
      const [storm] = after.flatMap((message) => message.storm ?? []);
      expect(storm).toMatchObject({ firing: 0, total: 55, titles: [] });
      const events = (await one.auditFrom(0, 100)).map(({ event }) => event);
      expect(events.filter((event) => event === 'alert firing')).toHaveLength(6);
      expect(events.filter((event) => event === 'alert resolved')).toHaveLength(6);
    });

    it('comes in a message of its own again, once a storm was quiet for ten minutes', async () => {
      const { one } = stores();
      for (let at = 0; at < 7; at += 1) await one.foldAlerts(received({ key: `group ${at}` }));
      const folded = received({ key: 'in time' }, { at: 10 * minute });
      expect(await one.foldAlerts(folded)).toMatchObject({ kind: 'open', in: 'storm' });
      const late = received({ key: 'later' }, { at: 21 * minute });
      expect(await one.foldAlerts(late)).toMatchObject({ kind: 'open', in: 'message' });
    });

    it('of one hook has nothing to do with those of another', async () => {
      const { one } = stores();
      for (let at = 0; at < 7; at += 1) await one.foldAlerts(received({ key: `group ${at}` }));
      const other = received({ key: 'group 0' }, { hook: 'phones' });
      expect(await one.foldAlerts(other)).toMatchObject({ kind: 'open', in: 'message' });
    });

    it('is kept until nothing was heard of it for long, and so is its message', async () => {
      const { one } = stores();
      const [first, second] = [received(), received({ key: 'two' }, { at: 2000 })];
      await one.foldAlerts(first);
      await one.foldAlerts(second);
      await one.foldAlerts({ ...first, at: 3000 });
      expect(await one.removeAlerts(2500, 10)).toBe(1);
      expect(await one.findAlertMessage(second.messageId)).toBeUndefined();
      expect(await one.findAlertMessage(first.messageId)).toMatchObject({ group: { status: 'firing' } });
      expect(await one.removeAlerts(3000, 10)).toBe(1);
      expect(await one.findAlertMessage(first.messageId)).toBeUndefined();
      expect(await one.foldAlerts(received({}, { at: 4000 }))).toMatchObject({ kind: 'open' });
    });
  });
}
