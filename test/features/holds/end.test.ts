import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { holdKind } from '../../../src/features/holds/hold.ts';
import { holds } from '../../../src/features/holds/index.ts';
import { introspect } from '../../../src/run/introspect.ts';
import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';
import { timelineOf } from '../timeline-of.ts';
import { type HoldStage, hour, minute, openHolds } from './hold-stage.ts';

let stage: HoldStage;
let hold: HoldStage['hold'];
beforeEach(async () => {
  stage = await openHolds();
  ({ hold } = stage);
});
afterEach(() => stage.close());

describe('a hold ends', () => {
  it('by commands that help lists for everyone who may hold', async () => {
    const { context, rulebook } = stage.boxes;
    const { actor, place } = callerOf(people.alice);
    const commands = async () =>
      (await introspect(context).helpHere(actor, place)).facts?.map(({ value }) => value).join();
    expect(await commands()).toMatch(/bellhop release.*bellhop extend/su);
    const rules = rulebook.policy.rules.filter(({ operations }) => !operations);
    stage.boxes.rulebook = { ...rulebook, policy: { ...rulebook.policy, rules } };
    expect(await commands()).not.toMatch(/release|extend/u);
  });

  it('after the time that was typed without dashes', async () => {
    await stage.ask('/bellhop hold db-1 for 2h --reason drill', 'carol');
    const [one] = await stage.holds();
    expect((one?.until ?? 0) - (one?.since ?? 0)).toBe(2 * hour);
    expect(one?.selector).toEqual({ name: 'db-1', kinds: ['instance'] });
  });

  it('by its holder, or by those whom a rule allows it, and by no one else', async () => {
    await hold();
    await expect(stage.ask('/bellhop release db-1', 'gina, a guest listed by id')).rejects.toThrow(
      /^@?U0CAROL holds db-1\. Only @?U0CAROL or leads can release it\.$/u,
    );
    await expect(stage.ask('/bellhop release db-2', 'carol')).rejects.toThrow(/no hold on “db-2”/u);
    await stage.work();
    expect(await stage.ask('/bellhop release db-1', 'lee')).toMatchObject({
      headline: "U0CAROL's hold on db-1 has ended. A reply to its message says so.",
    });
    await stage.work();
    expect(stage.posted[1]).toMatchObject({
      thread: '1',
      message: { text: '<@U0CAROL>: <@U0LEE> released your hold on db-1.' },
    });
    expect(await stage.boxes.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
    expect((await stage.log()).at(-1)).toMatch(/^hold released: db-1.* by U0LEE$/u);
  });

  it.each(['release', 'extend'])(
    'but %s of a listed target without one suggests no other hold',
    async (verb) => {
      await hold();
      await expect(stage.ask(`/bellhop ${verb} db1`, 'carol')).rejects.toMatchObject({
        guess: { words: ['db-1'] },
      });
      await expect(stage.ask(`/bellhop ${verb} web-1`, 'carol')).rejects.toMatchObject({
        message: 'There is no hold on “web-1”. Type /bellhop holds for all holds.',
        guess: { words: [] },
      });
    },
  );

  it('with all others of the person', async () => {
    await hold();
    await stage.ask('/bellhop hold env=staging --reason x', 'carol');
    await stage.ask('/bellhop hold web-1 --reason y', 'lee');
    expect(await stage.ask('/bellhop release --all', 'carol')).toMatchObject({
      headline: 'Your holds on db-1 and env=staging have ended. U0LEE still holds web-1.',
      facts: [{ label: 'Still held' }],
    });
    expect((await stage.holds()).filter(({ ended }) => !ended)).toMatchObject([{ reason: 'y' }]);
  });

  it("and its message names someone else's hold that continues", async () => {
    await stage.ask('/bellhop hold db-1 --for 2h --reason mine', 'lee');
    await stage.work();
    await hold();
    await stage.work();
    await stage.ask('/bellhop release db-1', 'carol');
    await stage.work();
    const own = stage.posted.filter(({ thread }) => thread === undefined);
    const shown = JSON.stringify(own.map(({ message }) => message));
    expect(shown).toMatch(/🔓 One hold on db-1 has ended/u);
    expect(shown).toMatch(/\*U0LEE\* then still held db-1 until /u);
    expect(shown).not.toContain('also holds');
  });

  it('by itself, even if Bellhop was down, and its message says how', async () => {
    await hold();
    await stage.work();
    expect(stage.posted).toMatchObject([{ channel: 'C0OPS', thread: undefined }]);
    const shown = JSON.stringify(stage.posted[0]?.message);
    expect(shown).toContain('🔒 db-1 is held');
    expect(shown).toMatch(/\*U0CAROL\* holds db-1 until .*\. Others can't change it\. Reads work\./u);
    expect(stage.posted[0]?.message.text).toMatch(
      /^🔒 db-1 is held by U0CAROL until <!date.*> · failover drill$/u,
    );
    expect(shown).toContain('Release');
    expect(shown).toContain('Extend 1h');
    expect(shown).not.toContain('<@');
    await stage.boxes.clock.advance(hour - 1);
    await stage.work();
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(/is held by/u);
    await stage.boxes.clock.advance(2 * hour);
    const later = stage.another();
    await later.work();
    expect(await later.boxes.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
    expect(await later.holds()).toEqual([]);
    expect(await later.store.lasting(holdKind)).toHaveLength(1);
    await stage.boxes.clock.advance(minute);
    await later.work();
    expect(await later.store.lasting(holdKind)).toEqual([]);
    expect((await stage.log()).at(-1)).toMatch(/^hold released: db-1, until \S+ \S+ UTC “failover drill”$/u);
  });

  it('in the timeline as an act of its holder or of Bellhop', async () => {
    await hold();
    await stage.ask('/bellhop release db-1', 'carol');
    await hold();
    await stage.boxes.clock.advance(hour);
    await stage.work();
    const entries = (await stage.store.audit({ limit: 100 })).filter(({ event }) => /hold|held/u.test(event));
    expect(timelineOf(entries, holds.events)).toEqual([
      expect.stringMatching(/^@U0CAROL placed a hold: db-1, until .*: “failover drill”$/u),
      expect.stringMatching(/^@U0CAROL released a hold: db-1, until .*: “failover drill”$/u),
      expect.stringMatching(/^@U0CAROL placed a hold: db-1, until .*: “failover drill”$/u),
      expect.stringMatching(/^Bellhop ended a hold on time: db-1, until .*: “failover drill”$/u),
    ]);
  });

  it('stays past its end until work is done: it is never dropped early', async () => {
    await hold();
    await stage.boxes.clock.advance(2 * hour);
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(/is held by/u);
  });

  it('after its holder was reminded in the thread, once, ten minutes before', async () => {
    await hold();
    await stage.work();
    await stage.boxes.clock.advance(50 * minute);
    await stage.work();
    await stage.work();
    expect(stage.posted).toHaveLength(2);
    expect(stage.posted[1]).toMatchObject({ thread: '1' });
    expect(stage.posted[1]?.message.text).toContain('<@U0CAROL>: your hold on db-1 ends at');
    await stage.boxes.clock.advance(10 * minute);
    await stage.work();
    expect(stage.posted).toHaveLength(2);
    expect(JSON.stringify(stage.posted[0]?.message)).toContain('as planned');
    expect(JSON.stringify(stage.posted[0]?.message)).not.toContain('Extend');
  });

  it('without a reminder if it was released, or is short', async () => {
    await hold();
    await stage.ask('/bellhop hold web-1 --for 10m --reason x', 'carol');
    await stage.work();
    await stage.ask('/bellhop release db-1', 'carol');
    await stage.work();
    await stage.boxes.clock.advance(50 * minute);
    await stage.work();
    expect(stage.posted.map(({ thread }) => thread)).toEqual([undefined, undefined]);
  });

  it('with a reminder ten minutes before the later end, if its holder extends it', async () => {
    await hold();
    await stage.work();
    const [one] = await stage.holds();
    await stage.ask(`/bellhop extend ${one?.id}`, 'carol');
    await stage.work();
    await stage.boxes.clock.advance(hour);
    await stage.work();
    expect(stage.posted).toHaveLength(1);
    await stage.boxes.clock.advance(50 * minute);
    await stage.work();
    expect(stage.posted[1]).toMatchObject({ thread: '1' });
  });

  it('later once its holder extends it, and within a day', async () => {
    await hold();
    const [one] = await stage.holds();
    await expect(stage.ask(`/bellhop extend ${one?.id}`, 'lee')).rejects.toThrow(
      'U0CAROL holds db-1, and only U0CAROL can extend that. Nothing was changed. ' +
        'To begin your own hold, type /bellhop hold db-1 --reason "why".',
    );
    await stage.ask(`/bellhop extend ${one?.id}`, 'carol');
    const [longer] = await stage.holds();
    expect(longer?.until).toBe((one?.until ?? 0) + hour);
    await stage.ask(`/bellhop extend ${one?.id} --for 24h`, 'carol');
    expect((await stage.holds())[0]?.until).toBe(stage.boxes.clock.now() + 24 * hour);
    expect((await stage.log()).filter((line) => line.startsWith('hold extended'))).toHaveLength(2);
    stage.boxes.rules(stage.boxes.rulebook.policy.rules.slice(2));
    await expect(stage.ask(`/bellhop extend ${one?.id}`, 'carol')).rejects.toThrow(/No rule allows it/u);
  });

  it('later by its target or labels too, and only by its holder', async () => {
    await stage.ask('/bellhop hold db-1 --reason mine', 'lee');
    await hold();
    await stage.ask('/bellhop extend db-1', 'carol');
    await stage.ask('/bellhop hold env=staging --reason x', 'lee');
    await stage.ask('/bellhop extend env=staging', 'lee');
    const at = stage.boxes.clock.now();
    expect((await stage.holds()).map(({ by, until }) => [by.user, (until - at) / hour])).toEqual(
      expect.arrayContaining([
        ['U0LEE', 1],
        ['U0CAROL', 2],
        ['U0LEE', 2],
      ]),
    );
    await expect(stage.ask('/bellhop extend env=staging', 'carol')).rejects.toThrow(
      /only U0LEE can extend .* type \/bellhop hold env=staging --reason/u,
    );
    await expect(stage.ask('/bellhop extend web-1', 'carol')).rejects.toThrow(/no hold on “web-1”/u);
  });

  it('is shown once Slack is back', async () => {
    await hold();
    await stage.work();
    await stage.ask('/bellhop release db-1', 'carol');
    stage.slackIsDown = true;
    await expect(stage.work()).rejects.toThrow('Slack is down');
    expect(await stage.boxes.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
    stage.slackIsDown = false;
    await stage.boxes.clock.advance(minute);
    await stage.work();
    expect(JSON.stringify(stage.posted[0]?.message)).toContain('Released by <@U0CAROL>');
    expect(await stage.holds()).toEqual([]);
  });
});

describe('a hold whose end cannot be trusted stays, and says so', () => {
  it('while the clock is wrong', async () => {
    await hold();
    await stage.work();
    stage.clockIsRight = false;
    await stage.boxes.clock.advance(2 * hour);
    await stage.work();
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(
      /held by \S+ \(end not certain\): /u,
    );
    expect(JSON.stringify(stage.posted[0]?.message)).toContain('clock was wrong');
    stage.clockIsRight = true;
    await stage.boxes.clock.advance(minute);
    await stage.work();
    expect(await stage.holds()).toEqual([]);
  });

  it('after a restore, for a day at most', async () => {
    await hold();
    await stage.work();
    await stage.boxes.clock.advance(30 * minute);
    await stage.store.endIfSetBack(stage.boxes.clock.now(), { sign: 'restored' });
    const restored = stage.boxes.clock.now();
    await stage.boxes.clock.advance(20 * minute);
    await stage.work();
    expect(await stage.holds()).toMatchObject([{ uncertain: 'restored', until: restored + 24 * hour }]);
    expect(JSON.stringify(stage.posted[0]?.message)).toContain('The store was restored');
    await stage.boxes.clock.advance(10 * hour);
    await stage.work();
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(/is held by/u);
    await stage.boxes.clock.advance(14 * hour);
    await stage.work();
    expect(await stage.holds()).toEqual([]);
  });
});
