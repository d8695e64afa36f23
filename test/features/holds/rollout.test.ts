import { expect, it } from 'vitest';

import { beginHold, changeEach, ended } from '../../../src/features/holds/change.ts';
import { type Hold, meets } from '../../../src/features/holds/hold.ts';
import { byHolds } from '../../../src/features/holds/restriction.ts';
import { renderNotice } from '../../../src/slack/cards/notice.ts';
import { cardRenderer } from '../../../src/slack/cards/render-card.ts';
import { tellNotices } from '../../due/notices.ts';
import { carol } from '../../people.ts';
import { noSources } from '../../sample-source.ts';
import { outlineMessage } from '../../slack/outline.ts';
import { proposed, reboots, rolling, stageWithPolicy } from '../../rollouts/rolling.ts';

const at = (then: number) => `<!date^${Math.floor(then / 1000)}^{date_short} {time}|`;

it('a rollout pauses at a held target, says who can release it, and once the hold has ended', async () => {
  const { stage } = await stageWithPolicy();
  Object.assign(stage.context, { restrictions: [byHolds] });
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  const now = stage.clock.now();
  const one: Hold = {
    id: 'h-1',
    by: carol,
    name: 'Carol',
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    selector: { name: 'web-2', kinds: ['instance'] },
    names: ['web-2'],
    count: 1,
    reason: 'failover drill',
    since: now,
    until: now + 3_600_000,
    version: 0,
  };
  await beginHold(stage.context, one);
  expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  const parts = { ...stage.context, sources: noSources, disclaimers: [] };
  const card = async () => outlineMessage(cardRenderer(parts)(await rollout.now()));
  const posted = async () => {
    const told = await tellNotices(stage.store, stage.clock.now());
    const request = await rollout.now();
    return told
      .filter(({ requestId }) => requestId === rollout.id)
      .map((notice) => renderNotice(notice, request, parts).text);
  };
  const held = await card();
  expect(held).toContain(`*web-2 is held by Carol until ${at(one.until)}`);
  expect(held).toContain(`U0CAROL or leads can release it: /bellhop release ${one.id}.*`);
  expect(held).toContain('*Continue with web-2…* appears here once the hold on web-2 has ended.');
  expect(held).not.toContain('[Continue');
  expect(await posted()).toEqual([expect.stringContaining(`web-2 is held by Carol until ${at(one.until)}`)]);
  await expect(rollout.press('continue')).rejects.toThrow(/^Not continued. web-2 is held by/u);
  expect(await reboots(stage)).toEqual(['web-1']);
  const longer = { ...one, until: one.until + 60_000 };
  await changeEach(stage.context, [one], () => ({ hold: longer }));
  await rollout.until((seen) => JSON.stringify(seen?.paused).includes(String(longer.until)), 20);
  expect(await posted()).toEqual([]);
  let end = 0;
  await changeEach(stage.context, [one], (hold) => {
    end = stage.clock.now();
    return ended(hold, { how: 'released', by: carol, at: end });
  });
  await rollout.until((seen) => seen?.paused?.barredBy === undefined, 20);
  const said = `The hold on web-2 has ended (released by U0CAROL on ${at(end)}`;
  expect(await card()).toContain(`*${said}`);
  expect(await card()).toContain('[Continue with web-2…] danger');
  expect(await posted()).toEqual([
    expect.stringMatching(/^<@U0ALICE> ⏸️ .* paused\. The hold on web-2 has ended/u),
  ]);
  await expect(rollout.until(/done/u, 30)).rejects.toThrow('paused');
  expect(await posted()).toEqual([]);
  await rollout.press('continue');
  await rollout.until(/done/u);
  expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
});

it('a waiting rollout is decided anew if one of its targets is held', async () => {
  const { stage } = await stageWithPolicy();
  const { id, version } = await proposed(stage);
  const hold = (name: string) =>
    stage.store.reconsider((target) => meets({ name, kinds: ['instance'] }, target), stage.clock.now());
  await hold('web-2');
  expect((await stage.find({ id })).version).toBe(version + 1);
  await hold('db-1');
  expect((await stage.find({ id })).version).toBe(version + 1);
});
