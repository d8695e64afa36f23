import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Report } from '../../../src/model/values/report.ts';
import { holdKind } from '../../../src/features/holds/hold.ts';
import { holds } from '../../../src/features/holds/index.ts';
import { pageReport } from '../../../src/slack/render/page-report.ts';
import { standingLines } from '../../../src/slack/cards/card-lines.ts';
import { plainPart } from '../../../src/text/parts.ts';
import { carol } from '../../people.ts';
import { timelineOf } from '../timeline-of.ts';
import { type HoldStage, openHolds } from './hold-stage.ts';

const minute = 60_000;
const hour = 60 * minute;

let stage: HoldStage;
beforeEach(async () => {
  stage = await openHolds();
});
afterEach(() => stage.close());

const hold = (rest = '--reason "failover drill"') => stage.ask(`/bellhop hold db-1 ${rest}`, 'carol');
const factsOf = ({ facts }: Report) => Object.fromEntries(facts.map(({ label, value }) => [label, value]));
const refusalOf = (work: Promise<unknown>): Promise<BellhopError> =>
  work.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => {
      if (error instanceof BellhopError) return error;
      throw error;
    },
  );
/** Until 04:00 UTC, as the clock begins at 03:00. */
const sentence =
  'db-1 is held by U0CAROL until 2026-11-21 04:00:00 UTC: failover drill. Ask U0CAROL to release it.';

const wayOut = `Can't wait? --break-glass "reason" overrides the hold.`;

describe('a hold', () => {
  it('refuses changes by others with holder, reason and end, whatever the rules say, and lets reads go on', async () => {
    const answer = await hold();
    expect(answer).toMatchObject({ title: 'db-1 is held', notes: ['No change is running there.'] });
    expect(factsOf(answer)).toMatchObject({ Reason: 'failover drill', Targets: 'db-1' });
    const refused = await refusalOf(stage.boxes.propose('alice', '/box kick db-1'));
    expect(refused).toMatchObject({ code: 'denied', until: stage.boxes.clock.now() + hour });
    expect(refused.message).toBe(`You can't kick db-1 now. ${sentence} Nothing was done. ${wayOut}`);
    expect(refused.parts).toContainEqual(expect.objectContaining({ person: 'U0CAROL' }));
    expect(JSON.stringify(renderRefusal(refused, { disclaimers: [] }))).toContain('<@U0CAROL>');
    expect(await stage.ask('/box look db-1')).toMatchObject({ title: 'A box' });
    const [read, denial] = await stage.store.audit({ limit: 2 });
    expect(read).toMatchObject({ event: 'read' });
    const [one] = await stage.holds();
    expect(denial).toMatchObject({ event: 'denied', rule: `hold ${one?.id}`, note: sentence.slice(0, -1) });
  });

  it('lets its holder make changes, and others those on other targets', async () => {
    await hold();
    expect(await stage.boxes.propose('carol', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
    expect(await stage.boxes.propose('alice', '/box kick web-1')).toMatchObject({ state: 'proposed' });
  });

  it('is in can, in the policy and in the list', async () => {
    await hold();
    const said = await stage.ask('/bellhop can box kick db-1');
    expect(said.headline).toBe('No. db-1 is held by U0CAROL until 04:00 UTC: failover drill.');
    expect(factsOf(said)).toMatchObject({ 'Allowed again from': '2026-11-21 04:00:00 UTC' });
    expect((await stage.ask(`/bellhop can --at 2026-11-21T03:10Z box kick db-1`)).headline).toMatch(/^Yes/u);
    const list = await stage.ask('/bellhop holds');
    expect(list.headline).toBe('1 hold.');
    expect(list.tables[0]?.rows[0]?.slice(0, 4)).toEqual([
      'db-1',
      { person: 'U0CAROL' },
      { at: stage.boxes.clock.now() + hour },
      'failover drill',
    ]);
  });

  it('of labels is for every target that has all of them', async () => {
    const answer = await stage.ask('/bellhop hold env=staging --reason "incident 42"', 'carol');
    expect(factsOf(answer)).toMatchObject({ Targets: 'web-1, web-2' });
    for (const box of ['web-1', 'web-2'])
      await expect(stage.boxes.propose('alice', `/box kick ${box}`)).rejects.toThrow(`${box} is held by`);
    expect(await stage.boxes.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
  });

  it.each([
    ['/bellhop hold db-2 --reason x', /no target “db-2”.*Did you mean “db-1”/u],
    ['/bellhop hold env=stagin --reason x', /No target has “env=stagin”. Did you mean “env=staging”/u],
    [
      '/bellhop hold env=staging env=production --reason x',
      /No target has env=staging and env=production\. Nothing was held/u,
    ],
    ['/bellhop hold tier=web --reason x', /No target has the label “tier”/u],
    ['/bellhop hold db-1 web-1 --reason x', /Name one target, or labels/u],
    ['/bellhop hold db-1 --for 4m --reason x', /must be 5m to 24h/u],
    ['/bellhop hold db-1 --for 25h --reason x', /must be 5m to 24h/u],
    [
      `/bellhop hold ${Array.from({ length: 11 }, (_, at) => `a${at}=b`).join(' ')} --reason x`,
      /more than 10 labels/u,
    ],
  ])('is refused, and nothing is held: %s', async (line, text) => {
    expect((await refusalOf(stage.ask(line, 'carol'))).message).toMatch(text);
    expect(await stage.holds()).toEqual([]);
  });

  it("over someone else's hold says that its own holder can't change the target, either", async () => {
    await stage.ask('/bellhop hold db-1 --reason mine', 'lee');
    const answer = await hold();
    expect(answer.headline).toBe("U0LEE holds db-1, too. You can't change it, either.");
    expect(factsOf(answer)).toMatchObject({
      'Also held': 'db-1 is held by U0LEE until 2026-11-21 04:00:00 UTC: mine',
    });
    await stage.ask('/bellhop release db-1', 'lee');
    expect((await hold()).headline).toBe("Others can't change it. Reads still work.");
    await stage.ask('/bellhop hold env=staging --reason x', 'lee');
    expect((await stage.ask('/bellhop hold web-1 --reason y', 'carol')).headline).toBe(
      "U0LEE holds env=staging, too. You can't change its targets, either.",
    );
  });

  it.each(['hold', 'extend', 'release'])('%s takes effect at once, as its help says', async (verb) => {
    expect((await stage.ask(`/bellhop ${verb} --help`)).notes).toContain('Takes effect at once.');
  });

  it('needs a reason, which the form asks for', async () => {
    const answer = await stage.boxes.ask('/bellhop hold db-1', 'carol');
    expect(answer).toMatchObject({ kind: 'form', values: { targets: ['db-1'] } });
  });

  it('without a target opens the form', async () => {
    expect(await stage.boxes.ask('/bellhop hold', 'carol')).toMatchObject({ kind: 'form', values: {} });
  });

  it('needs a rule that names it, on each target', async () => {
    const refused = await refusalOf(stage.ask('/bellhop hold db-1 --reason x', 'bob'));
    expect(refused).toMatchObject({ code: 'denied' });
    const { policy } = stage.boxes.rulebook;
    const only = { ...policy.rules[0], labels: { env: 'staging' } };
    stage.boxes.rules([Object.assign({}, policy.rules[0], only), ...policy.rules.slice(2)]);
    await expect(stage.ask('/bellhop hold db-1 --reason x', 'carol')).rejects.toThrow(/No rule allows it/u);
    expect(await stage.ask('/bellhop hold env=staging --reason x', 'carol')).toMatchObject({ tone: 'good' });
    // A rule for all reads, or for all of bellhop, does not name it.
    stage.boxes.rules([
      Object.assign({}, policy.rules[0], { operations: ['bellhop.*'] }),
      ...policy.rules.slice(2),
    ]);
    await expect(stage.ask('/bellhop hold web-1 --reason x', 'carol')).rejects.toThrow(/No rule allows it/u);
  });

  it('needs a rule that allows it in this channel', async () => {
    const { policy } = stage.boxes.rulebook;
    const elsewhere = Object.assign({}, policy.rules[0], { channels: ['C0GENERAL'] });
    stage.boxes.rules([elsewhere, ...policy.rules.slice(2)]);
    await expect(hold()).rejects.toMatchObject({ code: 'denied' });
    expect(await stage.holds()).toEqual([]);
  });

  it('of labels names the first ten targets, and how many there are', async () => {
    const { rulebook } = stage.boxes;
    const names = Array.from({ length: 12 }, (_, at) => `web-${at + 10}`);
    const more = Object.fromEntries(
      names.map((name) => [name, { id: `id-${name}`, labels: { env: 'many' } }]),
    );
    const instances = { ...rulebook.inventory.instances, ...more };
    stage.boxes.rulebook = { ...rulebook, inventory: { ...rulebook.inventory, instances } };
    const answer = await stage.ask('/bellhop hold env=many --reason x', 'carol');
    const text = `${names.slice(0, 10).join(', ')} and 2 more`;
    expect(factsOf(answer)).toMatchObject({ Targets: text });
    await stage.work();
    expect(JSON.stringify(stage.posted[0]?.message)).toContain(`Targets (12): ${text}`);
  });

  it('names the changes that run, which go on', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    stage.boxes.service.kick = () => promise;
    const running = await stage.boxes.propose('alice', '/box kick web-1');
    await stage.boxes.click('alice', running, 'confirm');
    const answer = await stage.ask('/bellhop hold web-1 --reason x', 'carol');
    expect(answer.items).toMatchObject([
      { id: running.id, state: 'running', link: `https://chat.example/${running.id}` },
    ]);
    expect(answer.notes).toEqual(['1 change had already started there, and will finish.']);
    const many = { ...stage.store, reconsider: async () => Array.from({ length: 14 }, () => running) };
    const longer = await stage.another(many).ask('/bellhop hold web-1 --reason y', 'carol');
    expect(longer.items).toHaveLength(12);
    expect(factsOf(longer)).toMatchObject({ 'Also running': `web-1 (${running.id}), web-1 (${running.id})` });
    expect(longer.notes).toEqual(['14 changes had already started there, and will finish.']);
    expect(pageReport(longer, true)).toHaveLength(1);
    resolve('moved');
    await stage.boxes.becomes(running, 'succeeded');
  });

  it('refuses the confirming click of a card that waits, which stays open, until it is released', async () => {
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    await stage.ask('/bellhop hold web-1 --reason "failover drill"', 'carol');
    const refused = await stage.boxes.refused('alice', waits, 'confirm');
    expect(refused.message).toBe(
      `Not run. ${sentence.replaceAll('db-1', 'web-1')} Click again once it is allowed.`,
    );
    expect(refused.parts).toContainEqual(expect.objectContaining({ person: 'U0CAROL' }));
    expect(await stage.boxes.find(waits)).toMatchObject({ state: 'proposed' });
    await stage.ask('/bellhop release web-1', 'carol');
    expect(await stage.boxes.click('alice', waits, 'confirm')).toMatchObject({ state: 'running' });
  });

  it('is on a waiting card, unless its requester is the holder', async () => {
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    await stage.ask('/bellhop hold web-1 --reason "failover drill"', 'carol');
    const { restrictions } = stage.boxes.context;
    const linesOf = standingLines({ restrictions, store: stage.store });
    expect((await linesOf(waits)).map((said) => said.map(plainPart).join(''))).toEqual([
      'web-1 is held by U0CAROL until 2026-11-21 04:00:00 UTC: failover drill.',
    ]);
    expect(await linesOf({ ...waits, requester: carol })).toEqual([]);
    await stage.ask('/bellhop release web-1', 'carol');
    expect(await linesOf(waits)).toEqual([]);
  });

  it('is passed by break-glass where a rule allows that; the review says whose it was', async () => {
    await hold();
    const line = '/box kick db-1 --break-glass "it burns"';
    await expect(stage.boxes.propose('gina, a guest listed by id', line)).rejects.toThrow(/is held by/u);
    const broken = await stage.boxes.propose('lee', '/box kick db-1 --break-glass "it burns"');
    const running = await stage.boxes.click('lee', broken, 'confirm');
    expect(running.review?.said).toContainEqual(expect.objectContaining({ person: 'U0CAROL' }));
    expect(running.note).toBe('Break-glass overrides the hold on db-1.');
  });

  it('is named once on a card that breaks glass, and no more once that is cancelled', async () => {
    await hold();
    const broken = await stage.boxes.propose('lee', '/box kick db-1 --break-glass "it burns"');
    const above = await standingLines(stage.boxes.context)(broken);
    const lines = [...above.map((line) => line.map(plainPart).join('')), broken.note];
    expect(lines).toEqual([
      expect.stringMatching(/^db-1 is held by .*: failover drill\.$/u),
      'Break-glass overrides the hold on db-1.',
    ]);
    expect((await stage.boxes.click('lee', broken, 'cancel')).note).toBeUndefined();
  });

  it('offers break-glass to those who may use it, and to no one else', async () => {
    await hold();
    expect((await stage.ask('/bellhop can box kick db-1', 'lee')).notes).toEqual([wayOut]);
    const gina = 'gina, a guest listed by id';
    const refused = await refusalOf(stage.boxes.propose(gina, '/box kick db-1'));
    expect(refused.message).toBe(`You can't kick db-1 now. ${sentence} Nothing was done.`);
    expect((await stage.ask('/bellhop can @U0GINA box kick db-1')).notes).toEqual([]);
    await stage.ask('/bellhop hold web-1 --reason "disk swap"', 'carol');
    expect((await refusalOf(stage.boxes.propose('lee', '/box kick web-1'))).message).not.toContain('wait');
  });

  it('says to its holder who approves that she can release it', async () => {
    const waits = await stage.boxes.propose('alice', '/box kick db-1');
    await hold();
    const refused = await stage.boxes.refused('carol', waits, 'approve');
    expect(refused.message).toBe(
      'Not run. You hold db-1. Release it first (Release on its message, or /bellhop release db-1), then press again.',
    );
    await stage.ask('/bellhop hold env=production --reason "incident"', 'lee');
    expect((await stage.boxes.refused('lee', waits, 'approve')).message).toContain(
      'You hold env=production. Release it first',
    );
    expect((await stage.boxes.refused('dan on call', waits, 'approve')).message).toContain(
      'Ask U0CAROL to release it. Click again once it is allowed.',
    );
    expect(await stage.boxes.find(waits)).toMatchObject({ state: 'awaiting approval' });
    await stage.ask('/bellhop release db-1', 'carol');
    await stage.ask('/bellhop release env=production', 'lee');
    expect(await stage.boxes.click('carol', waits, 'approve')).toMatchObject({ approvals: [{ by: carol }] });
  });

  it('overlaps with others: all deny', async () => {
    await hold();
    await stage.ask('/bellhop hold env=production --reason "incident"', 'lee');
    await expect(stage.boxes.propose('carol', '/box kick db-1')).rejects.toThrow(/held by U0LEE/u);
    await stage.ask('/bellhop release db-1', 'carol');
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(/held by U0LEE/u);
  });
});

describe('a second hold', () => {
  it('of the same person on the same targets replaces the first, and says so', async () => {
    await hold();
    const [first] = await stage.holds();
    const answer = await hold('--for 2h --reason "still on it"');
    expect(factsOf(answer)['Replaces']).toMatch(`your hold ${first?.id} until `);
    await stage.work();
    expect(await stage.holds()).toMatchObject([{ reason: 'still on it' }]);
    expect(await stage.log()).toEqual([
      expect.stringMatching(/^held: db-1, until 2026-11-21 04:00:00 UTC “failover drill” by U0CAROL$/u),
      expect.stringMatching(
        /^hold released: db-1, .* replaced by a newer hold “failover drill” by U0CAROL$/u,
      ),
      expect.stringMatching(/^held: db-1, until 2026-11-21 05:00:00 UTC, .* “still on it” by U0CAROL$/u),
    ]);
  });

  it('is refused once a person has 20, or all have 100', async () => {
    await hold();
    const [sample] = await stage.holds();
    if (!sample) throw new Error('nothing is held');
    const fill = (count: number, user: string) =>
      stage.store.changeLasting(holdKind, stage.boxes.clock.now(), () => ({
        drafts: Array.from({ length: count }, (_, at) => ({
          kind: holdKind,
          key: `h-${user}-${at}`,
          at: undefined,
          about: {
            ...sample,
            id: `h-${user}-${at}`,
            by: { ...sample.by, user },
            selector: { labels: { at: `${at}` } },
          },
        })),
        audit: [],
      }));
    await fill(19, 'U0CAROL');
    await expect(stage.ask('/bellhop hold web-1 --reason x', 'carol')).rejects.toThrow(
      /already have 20 holds/u,
    );
    expect(await hold('--reason "again"')).toMatchObject({ tone: 'good' });
    await fill(80, 'U0X');
    await expect(stage.ask('/bellhop hold web-1 --reason x', 'lee')).rejects.toThrow(/already 100 holds/u);
  });
});

describe('a hold ends', () => {
  it('by its holder, or by those whom a rule allows it, and by no one else', async () => {
    await hold();
    await expect(stage.ask('/bellhop release db-1', 'gina, a guest listed by id')).rejects.toThrow(
      /^@?U0CAROL holds db-1\. Only @?U0CAROL or leads can release it\.$/u,
    );
    await expect(stage.ask('/bellhop release db-2', 'carol')).rejects.toThrow(/no hold on “db-2”/u);
    expect(await stage.ask('/bellhop release db-1', 'lee')).toMatchObject({ headline: 'db-1' });
    expect(await stage.boxes.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
    });
    expect((await stage.log()).at(-1)).toMatch(/^hold released: db-1.* by U0LEE$/u);
  });

  it('with all others of the person', async () => {
    await hold();
    await stage.ask('/bellhop hold env=staging --reason x', 'carol');
    await stage.ask('/bellhop hold web-1 --reason y', 'lee');
    expect(await stage.ask('/bellhop release --all', 'carol')).toMatchObject({
      headline: 'The hold on db-1 and env=staging has ended. U0LEE still holds web-1.',
      facts: [{ label: 'Still held' }],
    });
    expect((await stage.holds()).filter(({ ended }) => !ended)).toMatchObject([{ reason: 'y' }]);
  });

  it("and its message names someone else's hold that continues", async () => {
    await stage.ask('/bellhop hold db-1 --for 2h --reason mine', 'lee');
    await stage.work();
    expect(JSON.stringify(stage.posted)).not.toContain('already holds');
    await hold();
    await stage.work();
    expect(JSON.stringify(stage.posted)).toMatch(/\*U0LEE\* already holds db-1 until /u);
    await stage.ask('/bellhop release db-1', 'carol');
    await stage.work();
    const shown = JSON.stringify(stage.posted.map(({ message }) => message));
    expect(shown).toMatch(/🔓 One hold on db-1 has ended/u);
    expect(shown).toMatch(/\*U0LEE\* still holds db-1 until /u);
  });

  it('by itself, even if Bellhop was down, and its message says how', async () => {
    await hold();
    await stage.work();
    expect(stage.posted).toMatchObject([{ channel: 'C0OPS', thread: undefined }]);
    const shown = JSON.stringify(stage.posted[0]?.message);
    expect(shown).toContain('🔒 db-1 is held');
    expect(shown).toMatch(/\*U0CAROL\* holds db-1 until .*\. Others can't change it\. Reads work\./u);
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
    await expect(stage.ask(`/bellhop extend ${one?.id}`, 'lee')).rejects.toThrow(/Only the holder/u);
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
    await expect(stage.ask('/bellhop extend env=staging', 'carol')).rejects.toThrow(/Only the holder/u);
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

describe('two replicas', () => {
  it('neither of them starts a change that the answer does not name', async () => {
    const other = stage.another();
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    // Makes its decision before the hold, and its claim after it.
    const late = stage.another({
      ...stage.store,
      lasting: async (kind) => {
        const before = await stage.store.lasting(kind);
        if (before.length === 0) await other.ask('/bellhop hold web-1 --reason x', 'carol');
        return before;
      },
    });
    expect((await late.boxes.refused('alice', waits, 'confirm')).message).toContain('web-1 is held by');
    expect(stage.boxes.service.kicks).toEqual([]);
  });
});
