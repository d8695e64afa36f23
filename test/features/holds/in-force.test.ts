import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import { pageReport } from '../../../src/slack/render/page-report.ts';
import { standingNow } from '../../../src/policy/standing.ts';
import type { Rule } from '../../../src/model/rulebook/rulebook.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { plainPart } from '../../../src/text/parts.ts';
import { carol } from '../../people.ts';
import { rule } from '../../run/sample-boxes.ts';
import { factsOf, type HoldStage, hour, openHolds } from './hold-stage.ts';

let stage: HoldStage;
let hold: HoldStage['hold'];
beforeEach(async () => {
  stage = await openHolds();
  ({ hold } = stage);
});
afterEach(() => stage.close());

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
  'db-1 is held by U0CAROL until 2026-11-21 04:00:00 UTC: failover drill. U0CAROL or leads can release it: /bellhop release h….';

const shortened = (text: string): string => text.replaceAll(/release h[\w-]+/gu, 'release h…');

/** For a reader who is a lead. */
const sentenceToLead = sentence.replace('U0CAROL or leads can', 'You can');

const wayOut = `Can't wait? --break-glass "reason" overrides the hold.`;

describe('a hold', () => {
  it('refuses changes by others with holder, reason and end, whatever the rules say, and lets reads go on', async () => {
    const answer = await hold();
    expect(answer).toMatchObject({ title: 'db-1 is held', notes: ['No change is running there.'] });
    expect(factsOf(answer)).toMatchObject({ Reason: 'failover drill', Targets: 'db-1' });
    const refused = await refusalOf(stage.boxes.propose('alice', '/box kick db-1'));
    expect(refused).toMatchObject({ code: 'denied', until: stage.boxes.clock.now() + hour });
    expect(shortened(refused.message)).toBe(
      `You can't kick db-1 now. ${sentenceToLead} Nothing was done. ${wayOut}`,
    );
    expect(refused.parts).toContainEqual(expect.objectContaining({ person: 'U0CAROL' }));
    expect(JSON.stringify(renderRefusal(refused, { disclaimers: [] }))).toContain('<@U0CAROL>');
    expect(await stage.ask('/box look db-1')).toMatchObject({ title: 'A box' });
    const [read, denial] = await stage.store.audit({ limit: 2 });
    expect(read).toMatchObject({ event: 'read' });
    const [one] = await stage.holds();
    expect(denial).toMatchObject({
      event: 'denied',
      rule: `hold ${one?.id}`,
      note: expect.any(String) as string,
    });
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
    expect(said.headline).toBe('No.');
    expect(shortened(String(factsOf(said)['Why']))).toBe(sentence);
    expect(said.facts[0]?.parts).toContainEqual({ at: stage.boxes.clock.now() + hour });
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
    ['/bellhop hold db-1 web-1 --reason x', /A hold has one target, or labels/u],
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
    expect(shortened(refused.message)).toBe(
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
    const linesOf = async (request: Request) =>
      (await standingNow(stage.boxes.context, request)).map(({ said }) =>
        shortened(said.map(plainPart).join('')),
      );
    expect(await linesOf(waits)).toEqual([sentence.replaceAll('db-1', 'web-1').slice(0, -1)]);
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
    expect(running.review?.said?.map(plainPart).join('')).toBe(
      'db-1 was still held by U0CAROL until 2026-11-21 04:00:00 UTC: failover drill. Break-glass overrode this hold. ',
    );
    expect(running.note).toBe('Break-glass overrides the hold on db-1.');
  });

  it('is named once on a card that breaks glass, and no more once that is cancelled', async () => {
    await hold();
    const broken = await stage.boxes.propose('lee', '/box kick db-1 --break-glass "it burns"');
    const above = await standingNow(stage.boxes.context, broken);
    const lines = [...above.map(({ said }) => said.map(plainPart).join('')), broken.note];
    expect(lines).toEqual([
      expect.stringMatching(/^db-1 is held by .*: failover drill\. U0CAROL or leads can release it: /u),
      'Break-glass overrides the hold on db-1.',
    ]);
    expect((await stage.boxes.click('lee', broken, 'cancel')).note).toBeUndefined();
  });

  it('offers break-glass to those who may use it, and to no one else', async () => {
    await hold();
    expect((await stage.ask('/bellhop can box kick db-1', 'lee')).notes).toEqual([wayOut]);
    const gina = 'gina, a guest listed by id';
    const refused = await refusalOf(stage.boxes.propose(gina, '/box kick db-1'));
    expect(shortened(refused.message)).toBe(`You can't kick db-1 now. ${sentence} Nothing was done.`);
    expect((await stage.ask('/bellhop can @U0GINA box kick db-1')).notes).toEqual([]);
    await stage.ask('/bellhop hold web-1 --reason "disk swap"', 'carol');
    expect((await refusalOf(stage.boxes.propose('lee', '/box kick web-1'))).message).not.toContain('wait');
  });

  it('names the roles that may release all of it in this channel, and no others', async () => {
    await stage.ask('/bellhop hold env=staging --reason "drill"', 'carol');
    const { rulebook } = stage.boxes;
    const [, , ...others] = rulebook.policy.rules;
    const refusedUnder = async (only: Partial<Rule>): Promise<string> => {
      stage.boxes.rules([
        rule('allow', { operations: ['bellhop.release'], roles: ['leads'], ...only }),
        ...others,
      ]);
      return shortened((await refusalOf(stage.boxes.propose('alice', '/box kick web-1'))).message);
    };
    const one = ': drill. U0CAROL can release it: /bellhop release h…. ';
    const all = ': drill. You can release it: /bellhop release h…. ';
    expect(await refusedUnder({ labels: { env: 'staging' } })).toContain(all);
    expect(await refusedUnder({ channels: ['C0ELSE'] })).toContain(one);
    const { instances } = rulebook.inventory;
    const web1 = { id: 'id-1', labels: { env: 'staging', tier: 'web' } };
    stage.boxes.rulebook = {
      ...rulebook,
      inventory: { ...rulebook.inventory, instances: { ...instances, 'web-1': web1 } },
    };
    expect(await refusedUnder({ labels: { tier: 'web' } })).toContain(one);
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
    expect(shortened((await stage.boxes.refused('dan on call', waits, 'approve')).message)).toContain(
      'U0LEE or leads can release it: /bellhop release h…. Click again once it is allowed.',
    );
    expect(await stage.boxes.find(waits)).toMatchObject({ state: 'awaiting approval' });
    await stage.ask('/bellhop release db-1', 'carol');
    await stage.ask('/bellhop release env=production', 'lee');
    expect(await stage.boxes.click('carol', waits, 'approve')).toMatchObject({ approvals: [{ by: carol }] });
  });

  it('is released by the id in the refusal, never the reader instead of it', async () => {
    await hold();
    await stage.ask('/bellhop hold db-1 --for 30m --reason "mine, too"', 'lee');
    const [one, other] = await stage.holds();
    const refused = await refusalOf(stage.boxes.propose('lee', '/box kick db-1'));
    expect(refused.message).toContain(`: failover drill. You can release it: /bellhop release ${one?.id}. `);
    const answer = await stage.ask(`/bellhop release ${one?.id}`, 'lee');
    expect(answer.headline).toMatch(/^U0CAROL's hold on db-1 has ended\. .* U0LEE still holds db-1\.$/u);
    expect((await stage.holds()).filter(({ ended }) => !ended)).toMatchObject([{ id: other?.id }]);
    expect((await stage.ask('/bellhop release db-1', 'lee')).headline).toBe('Your hold on db-1 has ended.');
  });

  it('is named with the one that lasts longest first, and further ones are counted', async () => {
    await hold('--for 30m --reason short');
    await stage.ask('/bellhop hold env=production --for 2h --reason long', 'lee');
    const refused = await refusalOf(stage.boxes.propose('alice', '/box kick db-1'));
    expect(refused.message).toMatch(
      /by U0LEE until \S+ 05:00:00 UTC: long\. .* h[\w-]+\. db-1 is held by U0CAROL until \S+ 03:30:00 UTC: short\. .* h[\w-]+\. Nothing/u,
    );
    expect(refused).toMatchObject({ until: stage.boxes.clock.now() + 2 * hour });
    await stage.ask('/bellhop hold db-1 --for 5m --reason third', 'dan on call');
    expect((await refusalOf(stage.boxes.propose('alice', '/box kick db-1'))).message).toMatch(
      /: short\. .*\. 1 more hold also prevents it\. Nothing was done/u,
    );
  });

  it('overlaps with others: all deny', async () => {
    await hold();
    await stage.ask('/bellhop hold env=production --reason "incident"', 'lee');
    await expect(stage.boxes.propose('carol', '/box kick db-1')).rejects.toThrow(/held by U0LEE/u);
    await stage.ask('/bellhop release db-1', 'carol');
    await expect(stage.boxes.propose('alice', '/box kick db-1')).rejects.toThrow(/held by U0LEE/u);
  });
});
