import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ownership } from '../../../src/features/ownership/index.ts';
import { handBackAction, ownerParts, takeAction } from '../../../src/features/ownership/render.ts';
import type { Policy, Rulebook, Source } from '../../../src/model/rulebook/rulebook.ts';
import type { Who } from '../../people.ts';
import { rule } from '../../run/sample-boxes.ts';
import { rotaOf } from '../../sample-source.ts';
import { hour, inRota, minute, openOwnership, type OwnershipStage } from './ownership-stage.ts';

let stage: OwnershipStage;
beforeEach(async () => {
  stage = await openOwnership();
});
afterEach(() => stage.boxes.close());

describe("I'm on it", () => {
  it('is on the message of an alert that fires; pressed, it says who is on it, and becomes Take over', async () => {
    const message = await stage.fire();
    expect(await stage.shown(message)).toMatch(/No one is on it now\..*I'm on it/u);
    const underWay = await stage.shown(message, { isUnderWay: true });
    expect(underWay).toContain("I'm on it");
    expect(underWay).not.toContain('No one');
    await stage.press('bob', message);
    expect(await stage.shown(message)).toMatch(/👤 <@U0BOB> has been on it since [^.]*\.".*Take over/u);
    expect(await stage.boxes.store.findOffer(message.id)).toMatchObject({ version: message.version + 1 });
    expect(stage.said).toMatchObject([{ to: 'U0BOB' }]);
    expect(await stage.log()).toEqual(['alert owned: InstanceDown on db-1 (grafana) by U0BOB']);
  });

  it('is not on the message of a storm, of a resolved alert, or of one that has a newer message', async () => {
    const storm = await stage.fire('firing', { fold: { in: 'storm' } });
    const parts = ownerParts(stage.slack);
    expect(await parts({ ...storm, group: undefined }, {})).toEqual([]);
    expect(await parts(await stage.fire('resolved', { key: 'two' }), {})).toEqual([]);
    const left = {
      ...(await stage.fire('firing', { key: 'three' })),
      moved: { content: { title: 'newer' } },
    };
    expect(await parts(left, {})).toEqual([]);
  });

  it('is on the message only while the current bellhop.yaml has its source', async () => {
    const message = await stage.fire();
    let expireAfterMs = 0;
    const [kind] = stage.slack.offers;
    if (!kind) throw new Error('no offers');
    const offers = [{ ...kind, ownedForMs: (rules: Rulebook) => rules.expireAfterMs || undefined }];
    const rulebook = () => ({ ...stage.boxes.context.rulebook(), expireAfterMs });
    const parts = ownership.offerParts?.({
      ...stage.boxes.context,
      store: stage.boxes.store,
      rulebook,
      offers,
    });
    expect(await parts?.(message, {})).toEqual([]);
    expireAfterMs = hour;
    expect(await parts?.(message, {})).toHaveLength(1);
  });

  it('is taken over at once; the one before is mentioned in the thread, once', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.press('carol', message);
    expect(await stage.shown(message)).toContain('<@U0CAROL> has been on it');
    await stage.work();
    await stage.boxes.clock.advance(minute);
    await stage.work();
    expect(stage.inThread()).toMatchObject([{ to: 'C0INC42', thread: message.ts }]);
    expect(stage.inThread()[0]?.message.text).toBe(
      '<@U0BOB>: <@U0CAROL> took over InstanceDown on db-1 from you.',
    );
    expect((await stage.log()).at(-1)).toBe(
      'alert taken over: InstanceDown on db-1 (grafana), from U0BOB by U0CAROL',
    );
  });

  it('mentions each of two owners before, also if the second one hands back at once', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.press('carol', message);
    await stage.press('alice', message);
    await stage.press('alice', message, handBackAction);
    await stage.work();
    expect(stage.inThread().map(({ message: { text } }) => text)).toEqual([
      '<@U0BOB>: <@U0CAROL> took over InstanceDown on db-1 from you.',
      '<@U0CAROL>: <@U0ALICE> took over InstanceDown on db-1 from you.',
      '<@U0ALICE> handed back InstanceDown on db-1, so no one is on it now.',
    ]);
  });

  describe('handed back mentions who is on call', () => {
    const ofHere = rule('confirm', { channels: ['C0INC42'], roles: ['db'] });

    it.each<[string, Partial<Policy>, string]>([
      [
        'by the rules of its channel',
        { ...inRota('db', 'web'), rules: [ofHere, rule('approve', { approvers: ['web'] })] },
        ' Rota db: known.',
      ],
      [
        'by the only schedule, if no rule names its channel',
        { ...inRota('web'), rules: [rule('approve', { roles: ['responders'], approvers: ['web'] })] },
        ' Rota web: known.',
      ],
      [
        'but not by one of several schedules',
        { ...inRota('db', 'web'), rules: [rule('confirm', { roles: ['db', 'web'] })] },
        '',
      ],
      ['but not by rules that deny', { ...inRota('db'), rules: [{ ...ofHere, effect: 'deny' }] }, ''],
    ])('%s', async (_, policy, then) => {
      const { rulebook } = stage.boxes;
      const directory = {
        ...stage.boxes.context.directory,
        membersOf: ({ name }: Source) => rotaOf(name, ['U0CAROL']),
      };
      stage.slack = { ...stage.slack, directory };
      const message = await stage.fire();
      await stage.press('bob', message);
      stage.boxes.rulebook = { ...rulebook, policy: { ...rulebook.policy, ...policy } };
      await stage.press('bob', message, handBackAction);
      await stage.work();
      expect(stage.inThread().map(({ message: { text } }) => text)).toEqual([
        `${then === '' ? '' : '<@U0CAROL>: '}<@U0BOB> handed back InstanceDown on db-1, so no one is on it now.${then}`,
      ]);
    });
  });

  it('offers Hand back, privately, at each press of the owner', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.press('bob', message);
    expect(stage.said).toMatchObject([{ to: 'U0BOB' }, { to: 'U0BOB' }]);
    for (const { message: own } of stage.said)
      expect(JSON.stringify(own)).toMatch(
        /You are on it \(since [^)]*\)\. Others see it once the alert's message shows your name\..*Hand back"/u,
      );
    await expect(stage.press('carol', message, handBackAction)).rejects.toThrow('You are not on this alert');
    await stage.press('bob', message, handBackAction);
    expect(await stage.owners()).toEqual([]);
    expect(await stage.shown(message)).toContain("I'm on it");
    expect((await stage.log()).at(-1)).toBe('alert handed back: InstanceDown on db-1 (grafana) by U0BOB');
  });

  it('of a double press of two people counts both, one after the other', async () => {
    const message = await stage.fire();
    await Promise.all([stage.press('bob', message), stage.press('carol', message)]);
    expect(await stage.owners()).toHaveLength(1);
    expect((await stage.log()).map((line) => line.split(':', 1)[0])).toEqual([
      'alert owned',
      'alert taken over',
    ]);
  });

  it.each<Who>(['gus, a guest', 'steve of another team', 'dora, who left, listed by id'])(
    'is refused to %s',
    async (who) => {
      await expect(stage.press(who, await stage.fire())).rejects.toMatchObject({ code: 'denied' });
      expect(await stage.owners()).toEqual([]);
    },
  );

  it.each<Who>(['alice', 'bob', 'gina, a guest listed by id', 'sara of another team, listed with it'])(
    'works for %s',
    async (who) => {
      await stage.press(who, await stage.fire());
      expect(await stage.owners()).toHaveLength(1);
    },
  );

  it('in another channel does nothing', async () => {
    await expect(stage.press('bob', await stage.fire(), takeAction, 'C0OPS')).rejects.toThrow(
      'This alert belongs to another channel. Nothing was done.',
    );
  });

  it('says that the alert has ended only in its own channel', async () => {
    const message = await stage.fire();
    await stage.press('bob', message);
    await stage.fire('resolved');
    await expect(stage.press('bob', message, handBackAction)).rejects.toThrow(
      "This alert isn't firing any more. Nothing was done.",
    );
    await expect(stage.press('bob', message, handBackAction, 'C0OPS')).rejects.toThrow(
      'belongs to another channel',
    );
  });
});
