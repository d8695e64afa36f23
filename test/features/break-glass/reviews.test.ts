import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { closeReview } from '../../../src/features/break-glass/close-review.ts';
import { events } from '../../../src/features/index.ts';
import { meaningOf } from '../../../src/model/audit-event.ts';
import { roomEvent } from '../../../src/model/records/audit.ts';
import { openItems } from '../../../src/run/items.ts';
import { openBoxes, rule, type BoxStage } from '../../run/sample-boxes.ts';
import { callerOf } from '../../core.ts';
import { people, type Who } from '../../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const ask = (who: Who, typed: string) => stage.propose(who, typed).catch((error: Error) => error.message);
const fire = '/box kick db-1 --break-glass "fire in the rack"';

/** Lee breaks the glass; the request has ended. */
async function broken() {
  const proposed = await stage.propose('lee', fire);
  await stage.click('lee', proposed, 'confirm');
  return stage.becomes(proposed, 'succeeded');
}

const close = (who: Who, id: string, word = 'it was right') =>
  closeReview(stage.context, callerOf(people[who]), id, word).then(
    () => 'closed',
    (error: Error) => error.message,
  );

const waiting = async (who: Who) =>
  (await openItems(stage.context, people[who])).items.map(
    ({ title, state, why, buttons }) =>
      `${title} · ${state} · ${why} · ${buttons.map(({ text }) => text).join()}`,
  );

describe('--break-glass', () => {
  it('opens a review, and says so in the record, when it runs and not before', async () => {
    const proposed = await stage.propose('lee', fire);
    expect((await stage.find(proposed)).review).toBeUndefined();
    await stage.click('lee', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
    expect(await stage.find(proposed)).toMatchObject({
      requester: { user: 'U0LEE' },
      breakGlass: 'fire in the rack',
      review: { rule: 'rule 2', approvers: ['leads'] },
      words: '/box kick db-1 --break-glass "fire in the rack"',
    });
    expect(await stage.story(proposed)).toEqual([
      'proposed → proposed by U0LEE',
      'confirmed → running by U0LEE',
      'break-glass → running by U0LEE (fire in the rack)',
      'started → running',
      'ended → succeeded',
    ]);
  });

  it('is of high severity to a SIEM', () => {
    expect(meaningOf(events, { event: roomEvent.parse('break-glass') }).severity).toBe('high');
  });

  it('opens none if it was cancelled, nor if the rules came to ask for approval', async () => {
    const proposed = await stage.propose('lee', fire);
    await stage.click('lee', proposed, 'cancel');
    const another = await stage.propose('lee', fire);
    stage.rules([rule('approve', { roles: ['leads'], approvers: ['leads'] })]);
    expect(await stage.click('lee', another, 'confirm')).toMatchObject({ state: 'awaiting approval' });
    expect(await stage.store.openReviews(10)).toEqual([]);
  });

  it.each<[string, Who, string, string]>([
    [
      'someone whom the rule does not name',
      'dan on call',
      '/box kick db-1 --break-glass fire',
      "Rule 2 doesn't allow you to use break-glass. Run it without --break-glass, and leads can approve it. Nothing was done.",
    ],
    [
      'a rule that asks for no approval',
      'alice',
      '/box kick web-1 --break-glass fire',
      'This needs no approval here. Run it without --break-glass. Nothing was done.',
    ],
    ['a reason of spaces', 'lee', '/box kick db-1 --break-glass "  "', '--break-glass needs a reason.'],
    [
      'no reason',
      'lee',
      '/box kick db-1 --break-glass',
      '--break-glass needs a value, such as --break-glass "site down".',
    ],
  ])('is refused with %s, and says so', async (_, who, typed, says) => {
    // On call, Dan may ask, but here only those listed may break the glass.
    const { rulebook } = stage;
    const roles = { ...rulebook.policy.roles, listed: { users: ['U0LEE'], usergroups: [] } };
    const rules = rulebook.policy.rules.map((one) =>
      one.breakGlass.length > 0 ? { ...one, breakGlass: ['listed'] } : one,
    );
    stage.rulebook = { ...rulebook, policy: { ...rulebook.policy, roles, rules } };
    expect(await ask(who, typed)).toBe(says);
    expect(await stage.store.list({ limit: 10 })).toEqual([]);
  });

  it('is refused if no one may, which is on record', async () => {
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['leads'] })]);
    expect(await ask('alice', '/box kick db-1 --break-glass fire')).toMatch(
      /^Rule 1 doesn't allow break-glass\./u,
    );
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ event: 'denied', rule: 'rule 1', actor: { user: 'U0ALICE' } });
  });
});

describe('a review', () => {
  it('stays listed for everyone else who holds a role until one of them closes it with a word', async () => {
    const { id } = await broken();
    const line = 'Kick db-1 · review open · fire in the rack · ';
    expect(await waiting('lee')).toEqual([]);
    expect(await waiting('bob')).toEqual([`${line}Close the review`]);
    expect(await waiting('gus, a guest')).toEqual([]);
    const { items } = await openItems(stage.context, people.bob);
    expect(items).toMatchObject([{ link: `https://chat.example/${id}`, sign: '🚨' }]);

    expect(await close('bob', id, ' it was right ')).toBe('closed');
    expect(await waiting('bob')).toEqual([]);
    expect((await stage.find({ id })).reviewClosed).toMatchObject({
      by: { user: 'U0BOB' },
      word: 'it was right',
    });
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({
      event: 'review closed',
      requestId: id,
      actor: { user: 'U0BOB' },
      reason: 'it was right',
    });
    expect(
      entry && meaningOf(events, entry).sentence(entry, `${entry.operation} ${entry.target?.name}`),
    ).toBe('closed the break-glass review of box.kick db-1: “it was right”');
  });

  it.each<[string, Who, string, string]>([
    [
      'by who broke the glass',
      'lee',
      'fine',
      'You used break-glass, so someone else has to close its review. Nothing was done.',
    ],
    ['by a guest', 'gus, a guest', 'fine', "You can't close this review. Nothing was done."],
    ['by another team', 'steve of another team', 'fine', "You can't close this review. Nothing was done."],
    [
      'by an unknown person',
      'ulla, unknown now',
      'fine',
      "Bellhop can't look up your roles in Slack right now (“anyone” or “leads”). Slack may be down. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.",
    ],
    ['without a word', 'bob', ' \n ', 'Describe the outcome.'],
    [
      'with a secret',
      'bob',
      'hunter2',
      'That looks like a secret of Bellhop itself. It has been sent in chat, so rotate it now. If a secret is needed, enter its name, such as secret:log-bucket. Nothing was done or stored.',
    ],
    ['with a novel', 'bob', 'x'.repeat(501), 'The text is longer than 500 characters. Shorten it.'],
  ])('is not closed %s, and the attempt is on record', async (_, who, word, says) => {
    const { id } = await broken();
    expect(await close(who, id, word)).toBe(says);
    expect((await stage.find({ id })).reviewClosed).toBeUndefined();
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ event: 'ignored click', note: `review: ${says}`, requestId: id });
  });

  it('is not closed by who broke the glass under the id of another team, who is named to no one as one who may', async () => {
    const { id } = await broken();
    const { rulebook } = stage;
    const leads = { users: ['U0LEE', 'U0CAROL', 'T0OTHER/U0LEE'], usergroups: [] };
    const roles = { ...rulebook.policy.roles, leads };
    stage.rulebook = { ...rulebook, policy: { ...rulebook.policy, roles } };
    const lee = callerOf({ team: 'T0OTHER', user: 'U0LEE' });
    await expect(closeReview(stage.context, lee, id, 'fine')).rejects.toMatchObject({
      message: 'You used break-glass, so someone else has to close its review. Nothing was done.',
      whoMay: { users: ['U0CAROL'] },
    });
  });

  it('is closed once, and one that does not exist not at all', async () => {
    const { id } = await broken();
    await close('bob', id);
    expect(await close('carol', id)).toBe(`The review of ${id} is already closed. Nothing was done.`);
    expect(await close('carol', 'r-none')).toBe('That review does not exist. Nothing was done.');
  });
});
