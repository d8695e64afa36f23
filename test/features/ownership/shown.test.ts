import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { features } from '../../../src/features/index.ts';
import { ownership } from '../../../src/features/ownership/index.ts';
import { handBackAction, homeLines, ownerLines, takeAction } from '../../../src/features/ownership/render.ts';
import { runTypedCommand } from '../../../src/run/run-command.ts';
import { slackTime } from '../../../src/slack/render/text.ts';
import { callerOf } from '../../core.ts';
import { people, type Who } from '../../people.ts';
import { eachTarget } from '../../../src/model/rulebook/target.ts';
import { groupOf, minute, openOwnership, type OwnershipStage } from './ownership-stage.ts';

let stage: OwnershipStage;
beforeEach(async () => {
  stage = await openOwnership();
});
afterEach(() => stage.boxes.close());

it('a newer message of the alert names and mentions the owner', async () => {
  const message = await stage.fire();
  await stage.press('bob', message);
  const since = slackTime(stage.boxes.clock.now());
  await stage.boxes.clock.advance(minute);
  const newer = await stage.fire('firing', { fold: { in: 'message' } });
  expect(newer.id).not.toBe(message.id);
  expect(await stage.shown(newer)).toContain(`<@U0BOB> was on it before this message (since ${since}).`);
});

it('the card of someone else on a target of the alert says who is on it, and nothing is blocked', async () => {
  await stage.press('bob', await stage.fire());
  const lines = ownerLines(stage.boxes.store);
  const request = await stage.boxes.propose('carol', '/box kick db-1');
  expect(request.state).toBe('awaiting approval');
  expect(await lines(request)).toEqual([
    [{ person: 'U0BOB' }, ' has been on it since ', { at: stage.boxes.clock.now() }, ' (InstanceDown)'],
  ]);
  expect(await lines({ ...request, requester: { team: 'T0LOCAL', user: 'U0BOB' } })).toEqual([]);
  const alone = await stage.boxes.propose('carol', '/box kick web-1');
  expect(await lines(alone)).toEqual([]);
  const target = {
    kind: 'rollout' as const,
    name: 'web-1 and db-1',
    labels: {},
    targets: [alone, request].flatMap((one) => eachTarget(one.target)),
  };
  expect(await lines({ ...request, target })).toEqual([
    [{ person: 'U0BOB' }, ' has been on db-1 since ', { at: stage.boxes.clock.now() }, ' (InstanceDown)'],
  ]);
});

it('the Home tab says which alerts the reader is on, with links', async () => {
  const home = (who: Who) => homeLines({ ...stage.boxes.context, store: stage.boxes.store }, people[who]);
  const message = await stage.fire();
  await stage.press('bob', message);
  const since = slackTime(stage.boxes.clock.now());
  expect(await home('bob')).toEqual([
    `👤 You have been on *InstanceDown on db-1* since ${since}. <https://chat.example/${message.id}|Open the alert>`,
  ]);
  expect(await home('alice')).toEqual([]);
  await stage.fire('firing', { key: 'free' });
  expect(await home('alice')).toEqual(['🔴 No one is on 1 firing alert. Type `/bellhop alerts`.']);
  expect(await home('gus, a guest'), 'who has no role').toEqual([]);
  for (const key of ['one', 'two', 'three']) await stage.press('bob', await stage.fire('firing', { key }));
  expect(features[0], 'whose lines are first').toBe(ownership);
  expect((await home('bob')).slice(3)).toEqual(['and 1 more: `/bellhop alerts --mine`']);
});

async function ask(line: string, channel = 'C0INC42', who: Who = 'bob') {
  const answer = await runTypedCommand(stage.boxes.context, callerOf(people[who], channel), 'bellhop', line);
  if (answer.kind !== 'report') throw new Error(`it came to a ${answer.kind}`);
  return answer.report;
}

describe('/bellhop alerts', () => {
  it('shows what fires, with owner, target, link and buttons', async () => {
    const message = await stage.fire();
    await stage.fire('firing', { key: 'other', title: 'DiskFull' });
    await stage.press('bob', message);
    const { headline, items } = await ask('alerts');
    expect(headline).toBe('2 alerts firing.');
    const own = items.find(({ id }) => id === groupOf(message));
    expect(own).toMatchObject({
      title: 'InstanceDown on db-1',
      sign: '🔴',
      by: { user: 'U0BOB' },
      link: `https://chat.example/${message.id}`,
      buttons: [{ action: handBackAction, text: 'Hand back' }],
    });
    expect(items.find(({ title }) => title.startsWith('DiskFull'))?.buttons).toMatchObject([
      { text: "I'm on it" },
    ]);
    expect((await ask('alerts --mine')).items).toHaveLength(1);
    expect(await ask('alerts --mine', 'C0INC42', 'carol')).toMatchObject({
      items: [],
      headline: 'You are on none. 2 alerts are firing.',
      notes: ['To see them, type /bellhop alerts.'],
    });
    expect(await ask('alerts --hook other')).toMatchObject({ items: [], headline: 'No matching alerts.' });
  });

  it('names what an alert is on that is not in the inventory, also in the thread', async () => {
    const unlisted = await stage.fire('firing', { on: ['unlisted-9'], targets: [] });
    await stage.fire('firing', { key: 'other', on: ['unlisted-8'], targets: [] });
    const { items } = await ask('alerts');
    expect(items.map(({ title }) => title).toSorted()).toEqual([
      'InstanceDown on unlisted-8',
      'InstanceDown on unlisted-9',
    ]);
    await stage.press('bob', unlisted);
    await stage.press('carol', unlisted);
    await stage.work();
    expect(stage.inThread().map(({ message }) => message.text)).toEqual([
      '<@U0BOB>: <@U0CAROL> took over InstanceDown on unlisted-9 from you.',
    ]);
  });

  it('shows the worst first, and the newest first of those', async () => {
    await stage.fire('firing', { key: 'mild', title: 'DiskFull', rank: 2 });
    await stage.boxes.clock.advance(minute);
    await stage.fire('firing', { key: 'old', title: 'InstanceDown' });
    await stage.boxes.clock.advance(minute);
    await stage.fire('firing', { key: 'new', title: 'HighErrorRate' });
    expect((await ask('alerts')).items.map(({ title }) => title.split(' ')[0])).toEqual([
      'HighErrorRate',
      'InstanceDown',
      'DiskFull',
    ]);
  });

  it('omits other channels, and says how many, except in a direct message to someone with a role', async () => {
    await stage.fire();
    expect(await ask('alerts', 'C0OPS')).toMatchObject({
      items: [],
      headline: 'No alerts here. 1 fires elsewhere.',
      notes: [expect.stringContaining('type /bellhop alerts there')],
    });
    expect((await ask('alerts', 'D0ALICE', 'alice')).items).toHaveLength(1);
  });

  it('shows nothing of channels in a direct message to a full member without a role, who owns nothing from there', async () => {
    const message = await stage.fire();
    expect(await ask('alerts', 'D0BOB')).toMatchObject({
      items: [],
      notes: [expect.stringContaining('or in a direct message if you have a role')],
    });
    await expect(stage.press('bob', message, takeAction, 'D0BOB')).rejects.toThrow('another channel');
    await stage.press('alice', message, takeAction, 'D0ALICE');
    expect(await stage.owners()).toHaveLength(1);
  });
});
