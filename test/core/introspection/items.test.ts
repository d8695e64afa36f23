import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ServiceError } from '../../../src/core/model/errors.ts';
import { aProposal, aRequest } from '../../store/sample-request.ts';
import { type SampleStage, openSampleStage, type Who } from '../sample-instances.ts';
import { people } from '../people.ts';

let stage: SampleStage;
beforeEach(async () => {
  stage = await openSampleStage();
});
afterEach(() => stage.close());

/** What waits for somebody: `Kick web-1 (proposed): confirm, cancel`. */
const waiting = async (who: Who): Promise<readonly string[]> => {
  const items = await stage.executor.openItems(people[who]);
  return items.map(
    ({ title, state, buttons }) => `${title} (${state}): ${buttons.map(({ action }) => action).join(', ')}`,
  );
};

describe('what waits', () => {
  it('is their own requests and those they may decide on, with the buttons they may click', async () => {
    const production = await stage.propose('alice', '/box kick db-1');
    await stage.propose('lee', '/box kick web-1');

    expect(await waiting('alice')).toEqual(['Kick db-1 (awaiting approval): cancel']);
    expect(await waiting('lee')).toEqual([
      'Kick web-1 (proposed): confirm, cancel',
      'Kick db-1 (awaiting approval): approve, deny',
    ]);
    expect(await waiting('carol')).toEqual(['Kick db-1 (awaiting approval): approve, deny']);
    expect(await waiting('bob')).toEqual([]);
    expect(await waiting("another team's user with alice's id")).toEqual([]);

    await stage.click('carol', production, 'approve');
    expect(await waiting('carol')).toEqual(['Kick db-1 (awaiting approval): deny']);
  });

  it('holds their own requests, however many others were proposed later', async () => {
    const { team, user } = people.alice;
    await stage.store.propose(aProposal(aRequest({ id: 'r-mine', requester: { team, user } })));
    for (let later = 0; later < 200; later += 1)
      await stage.store.propose(aProposal(aRequest({ requester: people.bob })));
    const items = await stage.executor.openItems(people.alice);
    expect(items.map(({ id }) => id)).toEqual(['r-mine']);
  });

  it('has no button whose click would be ignored', async () => {
    await stage.propose('alice', '/box kick db-1');
    await stage.propose('lee', '/box kick web-1');
    for (const who of ['alice', 'lee', 'carol', 'bob', 'gus, a guest'] as const) {
      for (const { buttons } of await stage.executor.openItems(people[who])) {
        for (const { action, value } of buttons) {
          if (action !== 'confirm' && action !== 'approve') continue;
          expect(await stage.click(who, { id: value }, action)).toBeDefined();
        }
      }
    }
  });

  it('names a button after what it does', async () => {
    await stage.propose('alice', '/box kick web-1 --reason "it hangs"');
    const [item] = await stage.executor.openItems(people.alice);
    expect(item).toMatchObject({
      title: 'Kick web-1',
      why: 'it hangs',
      buttons: [
        { action: 'confirm', text: 'Kick web-1', severity: 'destructive' },
        { action: 'cancel', text: 'Cancel', severity: 'none' },
      ],
    });
  });

  it('also has unknown outcomes, for a week, to be run again by those who hold a role', async () => {
    const details = { method: 'POST', path: '/kick' };
    stage.service.kick = () => Promise.reject(new ServiceError('unknown-outcome', 'no answer', details));
    const proposed = await stage.propose('alice', '/box shove web-1');
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'unknown');

    expect(await waiting('bob')).toEqual(['Shove web-1 (unknown): again']);
    expect(await waiting('gus, a guest')).toEqual([]);
    expect(await waiting('steve of another team')).toEqual([]);
    const [item] = await stage.executor.openItems(people.bob);
    expect(item?.buttons).toMatchObject([{ value: proposed.id, text: 'Run it again' }]);
    await stage.clock.advance(7 * 24 * 60 * 60_000 + 1);
    expect(await waiting('bob')).toEqual([]);
  });
});
