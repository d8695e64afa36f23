import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { features } from '../../../src/features/index.ts';
import { createOwnerHandler } from '../../../src/features/ownership/handler.ts';
import { ownership } from '../../../src/features/ownership/index.ts';
import { ownerKind, ownersNow } from '../../../src/features/ownership/owner.ts';
import {
  handBackAction,
  ownerLines,
  ownerParts,
  ownLines,
  takeAction,
} from '../../../src/features/ownership/render.ts';
import type { Handler } from '../../../src/model/records/due.ts';
import type { OfferMessage, OpenFold } from '../../../src/model/records/offer.ts';
import type { Policy, Rulebook, Source } from '../../../src/model/rulebook/rulebook.ts';
import { runTypedCommand } from '../../../src/run/run-command.ts';
import { createReplyHandler } from '../../../src/slack/messages/replies.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import type { Click } from '../../../src/slack/receive/dispatch.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { slackTime } from '../../../src/slack/render/text.ts';
import { callerOf } from '../../core.ts';
import { people, type Who } from '../../people.ts';
import { type BoxStage, openBoxes, rule } from '../../run/sample-boxes.ts';
import { rotaOf } from '../../sample-source.ts';
import { eachTarget } from '../../../src/model/rulebook/target.ts';
import { timelineOf } from '../timeline-of.ts';

const minute = 60_000;
const hour = 60 * minute;

interface Said {
  readonly to: string;
  readonly thread: string | undefined;
  readonly message: Message;
}

let boxes: BoxStage;
let said: Said[];
let slack: SlackContext;
let handlers: readonly Handler[];
beforeEach(async () => {
  const opened = await openBoxes();
  const operations = opened.context.registry.entries.map(({ operation }) => operation);
  boxes = opened.another(opened.store, {
    registry: createRegistry([...operations, ...(ownership.operations ?? [])], []),
  });
  said = [];
  const say = (to: string, message: Message, thread?: string): void =>
    void said.push({ to, message, thread });
  const parts = {
    ...boxes.context,
    store: boxes.store,
    clock: boxes.clock,
    disclaimers: [],
    inProgress: { run: (_: unknown, does: () => Promise<unknown>) => does() },
    offers: [{ owns: () => true, ownedForMs: () => 4 * hour }],
    api: {
      postMessage: async (channel: string, message: Message, thread?: string) =>
        say(channel, message, thread),
      postEphemeral: async (_: string, user: string, message: Message) => say(user, message),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that ownership uses
  slack = parts as unknown as SlackContext;
  handlers = [createOwnerHandler(parts), createReplyHandler(slack)];
});
afterEach(() => boxes.close());

let numbered = 0;
const noFold: Partial<OpenFold> = {};

/** Resolves to the message of the group, as its hook reports it. */
async function fire(
  status: 'firing' | 'resolved' = 'firing',
  { key = 'db-1 down', title = 'InstanceDown', fold = noFold, channel = 'C0INC42', rank = 4 } = {},
): Promise<OfferMessage> {
  const at = boxes.clock.now();
  const messageId = `a-${(numbered += 1)}`;
  const content = { title, targets: ['db-1'] };
  const update = { key, status, digest: `${numbered}`, content };
  await boxes.store.foldOffer({
    source: 'grafana',
    channel,
    at,
    messageId,
    update,
    fold: (known) => ({
      fold:
        known && !('in' in fold)
          ? { kind: 'change' }
          : { kind: 'open', in: 'message', tier: 'target', ...fold },
      update,
      rank,
      told: {},
    }),
    entries: () => [],
  });
  const found = await boxes.store.findOfferOf('grafana', key);
  const message = await boxes.store.findOffer(found?.messageId ?? '');
  if (!message) throw new Error('no message');
  if (message.ts === undefined) await boxes.store.markOfferShown(message, { channel, ts: `${messageId}.1` });
  return { ...message, ts: message.ts ?? `${messageId}.1` };
}

const groupOf = ({ group }: OfferMessage): string => group?.id ?? '';

async function press(
  who: Who,
  message: OfferMessage,
  action = takeAction,
  channel = 'C0INC42',
): Promise<void> {
  const click = {
    action: { value: groupOf(message) },
    context: { caller: callerOf(people[who], channel), responseUrl: undefined, clicked: { ts: message.ts } },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a click that ownership uses
  await ownership.buttons?.[action]?.(slack, click as unknown as Click);
}

const shown = async (message: OfferMessage, drawn = {}): Promise<string> => {
  const current = (await boxes.store.findOfferOfGroup(groupOf(message))) ?? message;
  return JSON.stringify(await ownerParts(slack)(current, drawn));
};

const owners = async () => ownersNow(await boxes.store.lasting(ownerKind));

/** Does the due work, as the queue does. */
async function work(): Promise<void> {
  for (;;) {
    const now = boxes.clock.now();
    const due = await boxes.store.claimDue(new Map(handlers.map(({ kind }) => [kind, 10])), now, 30_000);
    if (due.length === 0) return;
    for (const one of due) {
      const handler = handlers.find(({ kind }) => kind === one.kind);
      if (handler) await boxes.store.finishDue(one, await handler.handle(one), now);
    }
  }
}

/** Roles with schedules, each with the name of its role. */
const inRota = (...names: readonly string[]) => ({
  roles: {
    responders: { users: ['U0ALICE'], usergroups: [] },
    ...Object.fromEntries(
      names.map((name) => [name, { users: [], usergroups: [], sources: [{ key: 'rota', name }] }]),
    ),
  },
});

const inThread = () => said.filter(({ thread }) => thread);

const log = async (): Promise<readonly string[]> =>
  (await boxes.store.audit({ limit: 100 }))
    .filter(({ event }) => event.startsWith('alert '))
    .toReversed()
    .map(({ event, note, actor }) => `${event}: ${note} by ${actor?.user ?? 'Bellhop'}`);

describe("I'm on it", () => {
  it('is on the message of an alert that fires; pressed, it says who is on it, and becomes Take over', async () => {
    const message = await fire();
    expect(await shown(message)).toMatch(/No one is on it now\..*I'm on it/u);
    const underWay = await shown(message, { isUnderWay: true });
    expect(underWay).toContain("I'm on it");
    expect(underWay).not.toContain('No one');
    await press('bob', message);
    expect(await shown(message)).toMatch(/👤 <@U0BOB> has been on it since [^.]*\.".*Take over/u);
    expect(await boxes.store.findOffer(message.id)).toMatchObject({ version: message.version + 1 });
    expect(said).toMatchObject([{ to: 'U0BOB' }]);
    expect(await log()).toEqual(['alert owned: InstanceDown on db-1 (grafana) by U0BOB']);
  });

  it('is not on the message of a storm, of a resolved alert, or of one that has a newer message', async () => {
    const storm = await fire('firing', { fold: { in: 'storm' } });
    const parts = ownerParts(slack);
    expect(await parts({ ...storm, group: undefined }, {})).toEqual([]);
    expect(await parts(await fire('resolved', { key: 'two' }), {})).toEqual([]);
    const left = { ...(await fire('firing', { key: 'three' })), moved: { content: { title: 'newer' } } };
    expect(await parts(left, {})).toEqual([]);
  });

  it('is on the message only while the current bellhop.yaml has its source', async () => {
    const message = await fire();
    let expireAfterMs = 0;
    const [kind] = slack.offers;
    if (!kind) throw new Error('no offers');
    const offers = [{ ...kind, ownedForMs: (rules: Rulebook) => rules.expireAfterMs || undefined }];
    const rulebook = () => ({ ...boxes.context.rulebook(), expireAfterMs });
    const parts = ownership.offerParts?.({ ...boxes.context, store: boxes.store, rulebook, offers });
    expect(await parts?.(message, {})).toEqual([]);
    expireAfterMs = hour;
    expect(await parts?.(message, {})).toHaveLength(1);
  });

  it('is taken over at once; the one before is mentioned in the thread, once', async () => {
    const message = await fire();
    await press('bob', message);
    await press('carol', message);
    expect(await shown(message)).toContain('<@U0CAROL> has been on it');
    await work();
    await boxes.clock.advance(minute);
    await work();
    expect(inThread()).toMatchObject([{ to: 'C0INC42', thread: message.ts }]);
    expect(inThread()[0]?.message.text).toBe('<@U0BOB>: <@U0CAROL> took over from you.');
    expect((await log()).at(-1)).toBe(
      'alert taken over: InstanceDown on db-1 (grafana), from U0BOB by U0CAROL',
    );
  });

  it('mentions each of two owners before, also if the second one hands back at once', async () => {
    const message = await fire();
    await press('bob', message);
    await press('carol', message);
    await press('alice', message);
    await press('alice', message, handBackAction);
    await work();
    expect(inThread().map(({ message: { text } }) => text)).toEqual([
      '<@U0BOB>: <@U0CAROL> took over from you.',
      '<@U0CAROL>: <@U0ALICE> took over from you.',
      '<@U0ALICE> handed it back, so no one is on it now.',
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
      const { rulebook } = boxes;
      const directory = {
        ...boxes.context.directory,
        membersOf: ({ name }: Source) => rotaOf(name, ['U0CAROL']),
      };
      slack = { ...slack, directory };
      const message = await fire();
      await press('bob', message);
      boxes.rulebook = { ...rulebook, policy: { ...rulebook.policy, ...policy } };
      await press('bob', message, handBackAction);
      await work();
      expect(inThread().map(({ message: { text } }) => text)).toEqual([
        `<@U0BOB> handed it back, so no one is on it now.${then}`,
      ]);
    });
  });

  it('offers Hand back, privately, at each press of the owner', async () => {
    const message = await fire();
    await press('bob', message);
    await press('bob', message);
    expect(said).toMatchObject([{ to: 'U0BOB' }, { to: 'U0BOB' }]);
    for (const { message: own } of said)
      expect(JSON.stringify(own)).toMatch(/You are on it \(since .*Hand back"/u);
    await expect(press('carol', message, handBackAction)).rejects.toThrow('You are not on this alert');
    await press('bob', message, handBackAction);
    expect(await owners()).toEqual([]);
    expect(await shown(message)).toContain("I'm on it");
    expect((await log()).at(-1)).toBe('alert handed back: InstanceDown on db-1 (grafana) by U0BOB');
  });

  it('of a double press of two people counts both, one after the other', async () => {
    const message = await fire();
    await Promise.all([press('bob', message), press('carol', message)]);
    expect(await owners()).toHaveLength(1);
    expect((await log()).map((line) => line.split(':', 1)[0])).toEqual(['alert owned', 'alert taken over']);
  });

  it.each<Who>(['gus, a guest', 'steve of another team', 'dora, who left, listed by id'])(
    'is refused to %s',
    async (who) => {
      await expect(press(who, await fire())).rejects.toMatchObject({ code: 'denied' });
      expect(await owners()).toEqual([]);
    },
  );

  it.each<Who>(['alice', 'bob', 'gina, a guest listed by id', 'sara of another team, listed with it'])(
    'works for %s',
    async (who) => {
      await press(who, await fire());
      expect(await owners()).toHaveLength(1);
    },
  );

  it('in another channel does nothing', async () => {
    await expect(press('bob', await fire(), takeAction, 'C0OPS')).rejects.toThrow(
      'This alert belongs to another channel. Nothing was done.',
    );
  });

  it('says that the alert has ended only in its own channel', async () => {
    const message = await fire();
    await press('bob', message);
    await fire('resolved');
    await expect(press('bob', message, handBackAction)).rejects.toThrow(
      "This alert isn't firing any more. Nothing was done.",
    );
    await expect(press('bob', message, handBackAction, 'C0OPS')).rejects.toThrow(
      'belongs to another channel',
    );
  });
});

describe('being on an alert ends', () => {
  it('once the alert is resolved', async () => {
    const message = await fire();
    await press('bob', message);
    await fire('resolved');
    await boxes.clock.advance(minute);
    await work();
    expect(await owners()).toEqual([]);
    expect(inThread()).toEqual([]);
    expect((await log()).at(-1)).toBe(
      'alert handed back: InstanceDown on db-1 (grafana), from U0BOB, because the alert ended by Bellhop',
    );
  });

  it('after a time, which is said in the thread, to the owner, once', async () => {
    const message = await fire();
    await press('bob', message);
    await boxes.clock.advance(4 * hour);
    await work();
    await work();
    expect(await owners()).toEqual([]);
    expect(inThread()).toMatchObject([{ to: 'C0INC42', thread: message.ts }]);
    expect(inThread()[0]?.message.text).toMatch(
      /^<@U0BOB>: you have been on InstanceDown since .*\. Your time ran out, so no one is on it now\. Press/u,
    );
    expect(await shown(message)).toContain("I'm on it");
    expect((await log()).at(-1)).toMatch(/because the time ran out by Bellhop$/u);
  });
});

it('the timeline says who took, took over and handed back an alert, and what ended that', async () => {
  const message = await fire();
  await press('bob', message);
  await press('carol', message);
  await press('carol', message, handBackAction);
  await press('bob', message);
  await boxes.clock.advance(4 * hour);
  await work();
  await press('bob', message);
  await fire('resolved');
  await boxes.clock.advance(minute);
  await work();
  const entries = (await boxes.store.audit({ limit: 100 })).filter(({ event }) => event.startsWith('alert '));
  expect(timelineOf(entries, ownership.events)).toEqual([
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    '@U0CAROL took over an alert: InstanceDown on db-1 (grafana), from U0BOB',
    '@U0CAROL handed back an alert: InstanceDown on db-1 (grafana)',
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    'Bellhop took back an alert: InstanceDown on db-1 (grafana), from U0BOB, because the time ran out',
    '@U0BOB took an alert: InstanceDown on db-1 (grafana)',
    'Bellhop took back an alert: InstanceDown on db-1 (grafana), from U0BOB, because the alert ended',
  ]);
});

it('a newer message of the alert names and mentions the owner', async () => {
  const message = await fire();
  await press('bob', message);
  const newer = await fire('firing', { fold: { in: 'message' } });
  expect(newer.id).not.toBe(message.id);
  expect(await shown(newer)).toContain('<@U0BOB> has been on it');
});

it('the card of someone else on a target of the alert says who is on it, and nothing is blocked', async () => {
  await press('bob', await fire());
  const lines = ownerLines(boxes.store);
  const request = await boxes.propose('carol', '/box kick db-1');
  expect(request.state).toBe('awaiting approval');
  expect(await lines(request)).toEqual([
    [{ person: 'U0BOB' }, ' has been on it since ', { at: boxes.clock.now() }, ' (InstanceDown)'],
  ]);
  expect(await lines({ ...request, requester: { team: 'T0LOCAL', user: 'U0BOB' } })).toEqual([]);
  const alone = await boxes.propose('carol', '/box kick web-1');
  expect(await lines(alone)).toEqual([]);
  const target = {
    kind: 'rollout' as const,
    name: 'web-1 and db-1',
    labels: {},
    targets: [alone, request].flatMap((one) => eachTarget(one.target)),
  };
  expect(await lines({ ...request, target })).toEqual([
    [{ person: 'U0BOB' }, ' has been on db-1 since ', { at: boxes.clock.now() }, ' (InstanceDown)'],
  ]);
});

it('the Home tab says which alerts the reader is on, with links', async () => {
  const home = (who: Who) => ownLines({ ...boxes.context, store: boxes.store }, people[who]);
  const message = await fire();
  await press('bob', message);
  const since = slackTime(boxes.clock.now());
  expect(await home('bob')).toEqual([
    `👤 You have been on *InstanceDown on db-1* since ${since}. <https://chat.example/${message.id}|Open the alert>`,
  ]);
  expect(await home('alice')).toEqual([]);
  for (const key of ['one', 'two', 'three']) await press('bob', await fire('firing', { key }));
  expect(features[0], 'whose lines are first').toBe(ownership);
  expect((await home('bob')).slice(3)).toEqual(['and 1 more: `/bellhop alerts --mine`']);
});

async function ask(line: string, channel = 'C0INC42', who: Who = 'bob') {
  const answer = await runTypedCommand(boxes.context, callerOf(people[who], channel), 'bellhop', line);
  if (answer.kind !== 'report') throw new Error(`it came to a ${answer.kind}`);
  return answer.report;
}

describe('/bellhop alerts', () => {
  it('shows what fires, with owner, target, link and buttons', async () => {
    const message = await fire();
    await fire('firing', { key: 'other', title: 'DiskFull' });
    await press('bob', message);
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
    expect(await ask('alerts --hook other')).toMatchObject({ items: [], headline: 'No matching alerts.' });
  });

  it('shows the worst first, and the newest first of those', async () => {
    await fire('firing', { key: 'mild', title: 'DiskFull', rank: 2 });
    await boxes.clock.advance(minute);
    await fire('firing', { key: 'old', title: 'InstanceDown' });
    await boxes.clock.advance(minute);
    await fire('firing', { key: 'new', title: 'HighErrorRate' });
    expect((await ask('alerts')).items.map(({ title }) => title.split(' ')[0])).toEqual([
      'HighErrorRate',
      'InstanceDown',
      'DiskFull',
    ]);
  });

  it('omits other channels, and says how many, except in a direct message to someone with a role', async () => {
    await fire();
    expect(await ask('alerts', 'C0OPS')).toMatchObject({
      items: [],
      headline: 'No alerts here. 1 fires elsewhere.',
      notes: [expect.stringContaining('type /bellhop alerts there')],
    });
    expect((await ask('alerts', 'D0ALICE', 'alice')).items).toHaveLength(1);
  });

  it('shows nothing of channels in a direct message to a full member without a role, who owns nothing from there', async () => {
    const message = await fire();
    expect(await ask('alerts', 'D0BOB')).toMatchObject({
      items: [],
      notes: [expect.stringContaining('or in a direct message if you have a role')],
    });
    await expect(press('bob', message, takeAction, 'D0BOB')).rejects.toThrow('another channel');
    await press('alice', message, takeAction, 'D0ALICE');
    expect(await owners()).toHaveLength(1);
  });
});
