import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { tellNotices } from '../due/notices.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { RequestInTheWayError } from '../../src/request/in-the-way.ts';
import { plainPart } from '../../src/text/parts.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const away = () => new BellhopError('store-unavailable', 'The database is away.', { retryable: true });

const refusal = async (proposing: Promise<unknown>): Promise<BellhopError> => {
  const error = await proposing.catch((thrown: unknown) => thrown);
  return error instanceof BellhopError ? error : expect.fail('it was not refused');
};

describe('a request', () => {
  it('runs at once where a rule allows it', async () => {
    const running = await stage.propose('alice', '/box kick quick');
    expect(running).toMatchObject({
      state: 'running',
      decision: { effect: 'allow', rule: 'rule “quick ones”' },
    });
    expect(running.decidedBy).toBeUndefined();
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['quick']);
    expect(await stage.story(running)).toEqual([
      'proposed → proposed by U0ALICE',
      'started → running',
      'ended → succeeded',
    ]);
  });

  it('is written down with all that was shown, before it is shown', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    expect(await stage.find(proposed)).toEqual(proposed);
    expect(stage.shown).toEqual([proposed]);
    expect(proposed).toMatchObject({
      version: 1,
      target: { name: 'web-1', id: 'id-1', labels: { env: 'staging' } },
      targetKey: 'instance:1/2/id-1',
      createdAt: stage.clock.now(),
      expiresAt: stage.clock.now() + 15 * 60_000,
      policyHash: 'policy',
    });
  });

  it('is not made where its entry cannot be written', async () => {
    const full = await openBoxes((store) => ({
      ...store,
      propose: (proposal) =>
        store.propose({
          ...proposal,
          audit: proposal.audit.map((draft) => ({ ...draft, input: { id: 1n } })),
        }),
    }));
    await expect(full.propose('alice', '/box kick web-1')).rejects.toThrow('BigInt');
    expect(full.shown).toEqual([]);
    expect(await full.store.list({ limit: 10 })).toEqual([]);
    await full.close();
  });
});

describe('a request that is written down', () => {
  it('and cannot be started at once is shown as proposed, to be confirmed', async () => {
    const broken = stage.another({ ...stage.store, advance: () => Promise.reject(away()) });
    const proposed = await broken.propose('alice', '/box kick quick');
    expect(broken.shown).toEqual([proposed]);
    expect(await stage.find(proposed)).toMatchObject({ state: 'proposed' });
    expect(stage.service.kicks).toEqual([]);
    await stage.becomes(await stage.click('alice', proposed, 'confirm'), 'succeeded');
  });
});

describe('a second request for the same target', () => {
  it('by the same person takes the place of the first', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    const second = await stage.propose('alice', '/box shove 1/2/ID-1');
    expect(await stage.find(first)).toMatchObject({
      state: 'cancelled',
      note: `Replaced by ${second.id}.`,
    });
    expect(await stage.find(second)).toMatchObject({ state: 'proposed' });
    expect(stage.shown.map(({ id, state }) => [id, state])).toEqual([
      [first.id, 'proposed'],
      [first.id, 'cancelled'],
      [second.id, 'proposed'],
    ]);
    expect(await stage.story(first)).toEqual([
      'proposed → proposed by U0ALICE',
      `superseded → cancelled by U0ALICE (Replaced by ${second.id}.)`,
    ]);
  });

  it("takes the place of another's that no one let run, who is notified", async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    const second = await stage.propose('lee', '/box shove web-1');
    expect(await stage.find(first)).toMatchObject({ state: 'cancelled', decidedBy: { user: 'U0LEE' } });
    expect(await stage.find(second)).toMatchObject({
      state: 'proposed',
      note: "Replaces Alice *Liddell*'s unconfirmed request.",
    });
    expect(await stage.story(first)).toEqual([
      'proposed → proposed by U0ALICE',
      `superseded → cancelled by U0LEE (Replaced by ${second.id}.)`,
    ]);
    expect(await tellNotices(stage.store, stage.clock.now())).toMatchObject([
      { requestId: first.id, kind: 'replaced', by: { user: 'U0LEE' } },
    ]);
    expect((await stage.refused('alice', first, 'confirm')).message).toContain('already been cancelled');
  });

  it('says once whose request it replaces, if that one is redrawn in between', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    let seen = 0;
    const racing = stage.another({
      ...stage.store,
      propose: async (proposal) => {
        const proposed = await stage.store.propose(proposal);
        // As if the card had changed right after it was read.
        if (proposed.conflict && (seen += 1) === 1)
          await stage.store.reconsider(() => true, stage.clock.now());
        return proposed;
      },
    });
    const second = await racing.propose('lee', '/box shove web-1');
    expect(seen).toBe(2);
    expect(await stage.find(first)).toMatchObject({ state: 'cancelled' });
    expect(second.note).toBe("Replaces Alice *Liddell*'s unconfirmed request.");
  });

  it('does not say that it replaces a request that its requester cancelled in between', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    const racing = stage.another({
      ...stage.store,
      propose: async (proposal) => {
        if (proposal.supersedes) await stage.click('alice', first, 'cancel');
        return stage.store.propose(proposal);
      },
    });
    const second = await racing.propose('lee', '/box shove web-1');
    expect(await stage.find(second)).toMatchObject({ state: 'proposed' });
    expect(second.note).toBeUndefined();
  });

  it('by the same person replaces one without a notice', async () => {
    await stage.propose('alice', '/box kick web-1');
    const second = await stage.propose('alice', '/box kick web-1');
    expect(second.note).toBeUndefined();
    expect(await tellNotices(stage.store, stage.clock.now())).toEqual([]);
  });

  it('takes the place of one that waits for an approval where it breaks the glass', async () => {
    const first = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', first, 'approve');
    const second = await stage.propose('lee', '/box kick db-1 --break-glass "the disk fills up"');
    expect(await stage.find(first)).toMatchObject({ state: 'awaiting approval' });
    const running = await stage.click('lee', second, 'confirm');
    expect(await stage.find(first)).toMatchObject({ state: 'cancelled', decidedBy: { user: 'U0LEE' } });
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['db-1']);
  });

  it("is refused where another's waits for an approval, and says which", async () => {
    const first = await stage.propose('alice', '/box kick db-1');
    const error = await refusal(stage.propose('lee', '/box shove db-1'));
    expect(error).toBeInstanceOf(RequestInTheWayError);
    expect(error).toMatchObject({ code: 'busy', other: first });
    const until = plainPart({ at: first.expiresAt });
    expect(error.message).toBe(
      `db-1 already has an open request by U0ALICE: /box kick db-1, awaiting approval, until ${until} (${first.id}). Leads can approve or deny it. Only U0ALICE can cancel it. Nothing was done.`,
    );
    expect(await stage.find(first)).toEqual(first);
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({
      event: 'invalid',
      error: 'busy',
      operation: 'box.shove',
      actor: { user: 'U0LEE' },
    });
  });

  it('is refused while the first runs, also to the same person', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const first = await stage.propose('alice', '/box kick quick');
    expect((await refusal(stage.propose('alice', '/box kick quick'))).message).toMatch(
      /running.* Wait until it ends\./u,
    );
    answer.resolve('moved');
    await stage.becomes(first, 'succeeded');
    await stage.becomes(await stage.propose('alice', '/box kick quick'), 'succeeded');
    expect(stage.service.kicks).toHaveLength(2);
  });

  it('is let through where the first expired unnoticed', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    await stage.clock.advance(15 * 60_000);
    const second = await stage.propose('lee', '/box kick web-1');
    expect(await stage.find(first)).toMatchObject({ state: 'expired' });
    expect(await stage.story(first)).toEqual(['proposed → proposed by U0ALICE', 'expired → expired']);
    expect(await stage.find(second)).toMatchObject({ state: 'proposed' });
  });

  it('wins over none of a hundred that are proposed at once', async () => {
    const other = stage.another();
    const proposals = Array.from({ length: 100 }, (_, index) =>
      (index % 2 ? stage : other).propose(index % 3 ? 'lee' : 'alice', '/box kick web-1'),
    );
    await Promise.allSettled(proposals);
    expect(await stage.store.list({ states: ['proposed'], limit: 200 })).toHaveLength(1);
  });

  it('meets the confirmation of the first: one of them loses, and the box is kicked once', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    const [, again] = await Promise.allSettled([
      stage.click('alice', first, 'confirm'),
      stage.propose('alice', '/box shove web-1'),
    ]);
    const { state } = await stage.find(first);
    expect([state === 'cancelled', again?.status]).toEqual(
      state === 'cancelled' ? [true, 'fulfilled'] : [false, 'rejected'],
    );
    await stage.context.backgroundTasks.drained(1);
    expect(stage.service.kicks).toHaveLength(state === 'cancelled' ? 0 : 1);
  });
});
