import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { inspectRequest, openItems, requestItem } from '../../src/run/items.ts';
import { ServiceError } from '../../src/model/values/errors.ts';
import { aProposal, aRequest, aStep } from '../store/sample-request.ts';
import { openBoxes, rule, type BoxStage } from './sample-boxes.ts';
import { people, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

/** A person's open items, such as `Kick web-1 (proposed): inspect`. */
const waiting = async (who: Who): Promise<readonly string[]> => {
  const { items } = await openItems(stage.context, people[who]);
  return items.map(
    ({ title, state, buttons }) => `${title} (${state}): ${buttons.map(({ action }) => action).join(', ')}`,
  );
};

let made = 0;

async function proposeByBob(count: number, createdAt?: number): Promise<void> {
  for (const last = made + count; made < last; made += 1) {
    const by = { id: `r-bob-${made}`, requester: people.bob };
    await stage.store.propose(aProposal(aRequest(createdAt === undefined ? by : { ...by, createdAt })));
  }
}

describe('what waits', () => {
  it('is their own requests and those they may decide on, to be looked at before anything is clicked', async () => {
    const production = await stage.propose('alice', '/box kick db-1');
    const staging = await stage.propose('lee', '/box kick web-1');

    expect(await waiting('alice')).toEqual(['Kick db-1 (awaiting approval): inspect']);
    expect(await waiting('lee')).toEqual([
      'Kick web-1 (proposed): inspect',
      'Kick db-1 (awaiting approval): inspect',
    ]);
    expect(await waiting('carol')).toEqual(['Kick db-1 (awaiting approval): inspect']);
    expect(await waiting('bob')).toEqual([]);
    expect(await waiting("another team's user with alice's id")).toEqual([]);

    const actions = async (who: Who, id: string) =>
      (await inspectRequest(stage.context, people[who], id)).actions;
    expect(await actions('alice', production.id)).toEqual(['cancel']);
    expect(await actions('lee', staging.id)).toEqual(['confirm', 'cancel']);
    expect(await actions('carol', production.id)).toEqual(['approve', 'deny']);
    await stage.click('carol', production, 'approve');
    expect(await actions('carol', production.id)).toEqual(['deny']);
    for (const who of ['bob', 'gus, a guest'] as const)
      await expect(actions(who, production.id)).rejects.toThrow(
        "That request doesn't exist, or you can't see it.",
      );
    await expect(actions('alice', staging.id)).rejects.toThrow(
      "That request doesn't exist, or you can't see it.",
    );
    await expect(actions('alice', 'r-gone')).rejects.toThrow(
      "That request doesn't exist, or you can't see it.",
    );
  });

  it('holds their own requests, however many others were proposed later', async () => {
    const { team, user } = people.alice;
    await stage.store.propose(aProposal(aRequest({ id: 'r-mine', requester: { team, user } })));
    for (let later = 0; later < 200; later += 1)
      await stage.store.propose(aProposal(aRequest({ requester: people.bob })));
    const { items } = await openItems(stage.context, people.alice);
    expect(items.map(({ id }) => id)).toEqual(['r-mine']);
  });

  it('holds what they may decide on, however many others were proposed later', async () => {
    const asked = await stage.propose('lee', '/box kick db-1');
    await proposeByBob(450, stage.clock.now() + 1);
    expect(await waiting('carol')).toEqual(['Kick db-1 (awaiting approval): inspect']);
    expect((await openItems(stage.context, people.carol)).items[0]?.id).toBe(asked.id);
  });

  it('says that it is not complete where it is not', async () => {
    await proposeByBob(200);
    expect(await openItems(stage.context, people.bob)).toMatchObject({ items: { length: 200 }, more: false });
    await proposeByBob(1);
    expect(await openItems(stage.context, people.bob)).toMatchObject({ items: { length: 200 }, more: true });
    await proposeByBob(1800);
    expect(await openItems(stage.context, people.carol)).toEqual({ items: [], more: true });
  });

  it('has every unknown outcome of an outage, with those of the same moment', async () => {
    for (let lost = 0; lost < 130; lost += 1) {
      const request = aRequest({ requester: people.bob, createdAt: stage.clock.now() });
      await stage.store.propose(aProposal(request));
      await stage.store.advance(aStep(request, 'running'));
      await stage.store.advance(aStep({ ...request, state: 'running', version: 2 }, 'unknown'));
    }
    expect(await waiting('bob')).toHaveLength(130);
  });

  it('names each request and links to its card', async () => {
    const { id } = await stage.propose('alice', '/box kick web-1 --reason "it hangs"');
    const [item] = (await openItems(stage.context, people.alice)).items;
    expect(item).toMatchObject({
      title: 'Kick web-1',
      why: 'it hangs',
      link: `https://chat.example/${id}`,
      buttons: [{ action: 'inspect', text: 'Review…', value: id }],
    });
  });

  it('says who replaced a request, but not that its requester cancelled it', () => {
    const { registry } = stage.context;
    const cancelled = aRequest({ state: 'cancelled', note: 'Replaced by r-2.', decidedBy: people.carol });
    expect(requestItem(registry, cancelled).refusal).toEqual({ by: people.carol, note: 'Replaced by r-2.' });
    const own = { ...cancelled, decidedBy: cancelled.requester };
    expect(requestItem(registry, own).refusal).toBeUndefined();
  });

  it('says what the evidence of an unknown outcome suggests', () => {
    const { registry } = stage.context;
    const search = { sent: { from: 0, to: 1 }, suggests: 'failed' } as const;
    const unknown = aRequest({ state: 'unknown', outcome: { search } });
    expect(requestItem(registry, unknown)).toMatchObject({
      state: 'unknown',
      likely: ', most likely did not run',
    });
    expect(requestItem(registry, { ...unknown, state: 'failed' })).toMatchObject({ likely: '' });
  });

  it('also has unknown outcomes, however old, to be checked and settled by those who hold a role', async () => {
    const details = { method: 'POST', path: '/kick' };
    stage.service.kick = () => Promise.reject(new ServiceError('unknown-outcome', 'no answer', details));
    const proposed = await stage.propose('alice', '/box shove web-1');
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'unknown');

    expect(await waiting('bob')).toEqual(['Shove web-1 (unknown): inspect, settle']);
    expect(await waiting('gus, a guest')).toEqual([]);
    expect(await waiting('steve of another team')).toEqual([]);
    const kicked = await stage.propose('alice', '/box kick web-2');
    await stage.click('alice', kicked, 'confirm');
    await stage.becomes(kicked, 'unknown');
    expect(await waiting('bob')).toContain('Kick web-2 (unknown): inspect, check, settle');
    await stage.clock.advance(30 * 24 * 60 * 60_000);
    expect(await waiting('bob')).toHaveLength(2);
  });
});

const refusalOf = async (id: string) => {
  const request = await stage.store.find(id);
  return request && requestItem(stage.context.registry, request).refusal;
};

describe('a refused request is listed', () => {
  it('with the person who denied it, and why', async () => {
    const proposed = await stage.propose('alice', '/box kick db-1');
    expect(await refusalOf(proposed.id)).toBeUndefined();
    await stage.click('carol', proposed, 'deny', { passes: { denial: { text: 'wait for the DBA' } } });
    expect(await refusalOf(proposed.id)).toMatchObject({
      by: { user: 'U0CAROL' },
      note: 'Why: “wait for the DBA”',
    });
  });

  it('without the person whose press met other rules', async () => {
    const proposed = await stage.propose('alice', '/box kick db-1');
    stage.rules([rule('deny', { operations: ['box.*'] })]);
    await stage.refused('carol', proposed, 'approve');
    const refusal = await refusalOf(proposed.id);
    expect(refusal?.by).toBeUndefined();
    expect(refusal?.note).toMatch(/./u);
  });
});
