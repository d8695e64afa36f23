import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { InventoryInstance } from '../../src/model/rulebook/target.ts';
import { sweep } from '../due/sweep.ts';
import type { ClickAction } from '../../src/model/records/request.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import { expectIgnored, type IgnoredClick, production, staging } from './ignored-click.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

/** Replaces an entry of the inventory, or takes it away. */
function relist(of: BoxStage, name: string, entry: InventoryInstance | undefined): void {
  const { [name]: _, ...others } = of.rulebook.inventory.instances;
  const instances = entry ? { ...others, [name]: entry } : others;
  of.rulebook = { ...of.rulebook, inventory: { ...of.rulebook.inventory, instances } };
}

const freeze = (of: BoxStage) => {
  const { policy } = of.rulebook;
  const window = { labels: {}, from: 0, to: Date.UTC(2100, 0, 1), except: [], reason: 'sale' };
  of.rulebook = { ...of.rulebook, policy: { ...policy, freeze: [window] } };
};

const rows: readonly IgnoredClick[] = [
  {
    click: 'that is late, before anything noticed',
    typed: staging,
    before: (of) => of.clock.advance(15 * 60_000),
    who: 'alice',
    action: 'confirm',
    says: 'The request for web-1 has expired. This click did nothing.',
    leaves: 'expired',
  },
  {
    click: 'to approve that is late, before anything noticed',
    typed: production,
    before: (of) => of.clock.advance(15 * 60_000),
    who: 'carol',
    action: 'approve',
    says: 'The request for db-1 has expired. This click did nothing.',
    leaves: 'expired',
  },
  {
    click: 'that is late, after the sweep',
    typed: staging,
    before: async (of) => {
      await of.clock.advance(15 * 60_000);
      await sweep(of.context);
    },
    who: 'alice',
    action: 'confirm',
    says: 'The request for web-1 has expired. This click did nothing.',
    leaves: 'expired',
  },
  {
    click: 'on a cancelled request',
    typed: staging,
    before: (of, request) => of.click('alice', request, 'cancel'),
    who: 'alice',
    action: 'confirm',
    says: 'The request for web-1 has already been cancelled. This click did nothing.',
    leaves: 'cancelled',
  },
  {
    click: 'on a denied request',
    typed: production,
    before: (of, request) => of.click('lee', request, 'deny'),
    who: 'carol',
    action: 'approve',
    says: 'The request for db-1 has already been refused. This click did nothing.',
    leaves: 'refused',
  },
  {
    click: 'on a superseded request',
    typed: staging,
    before: (of) => of.propose('alice', '/box shove web-1'),
    who: 'alice',
    action: 'confirm',
    says: 'The request for web-1 has already been cancelled. This click did nothing.',
    leaves: 'cancelled',
  },
  {
    click: 'after the instance behind the name changed',
    typed: staging,
    before: (of) => relist(of, 'web-1', { id: 'id-9', labels: { env: 'staging' } }),
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The target or the input changed after this was shown. Run the command again to see the current ones.',
    leaves: 'refused',
  },
  {
    click: 'after the labels changed',
    typed: staging,
    before: (of) => relist(of, 'web-1', { id: 'id-1', labels: { env: 'production' } }),
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The target or the input changed after this was shown. Run the command again to see the current ones.',
    leaves: 'refused',
  },
  {
    click: 'after the name was taken away',
    typed: staging,
    before: (of) => relist(of, 'web-1', undefined),
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The target or the input changed after this was shown. Run the command again to see the current ones.',
    leaves: 'refused',
  },
  {
    click: 'to approve after the instance behind the name changed',
    typed: production,
    before: (of) => relist(of, 'db-1', { id: 'id-9', labels: { env: 'production' } }),
    who: 'carol',
    action: 'approve',
    says: 'Not run. The target or the input changed after this was shown. Run the command again to see the current ones.',
    leaves: 'refused',
  },
  {
    click: 'to approve after that, by someone without the role',
    typed: production,
    before: (of) => relist(of, 'db-1', { id: 'id-9', labels: { env: 'production' } }),
    who: 'bob',
    action: 'approve',
    says: "You can't approve this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'after the rules came to deny it',
    typed: staging,
    before: (of) => of.rules([rule('deny', { operations: ['box.*'] })]),
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The rules no longer allow it. Rule 1 denies it.',
    leaves: 'refused',
  },
  {
    click: 'to approve after the rules changed to allow no one',
    typed: production,
    before: (of) => of.rules([]),
    who: 'carol',
    action: 'approve',
    says: 'Not run. The rules no longer allow it.',
    leaves: 'refused',
  },
  {
    click: 'after the requester lost the role',
    typed: staging,
    before: (of) => {
      const { policy } = of.rulebook;
      of.rulebook = { ...of.rulebook, policy: { ...policy, roles: {} } };
    },
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The rules no longer allow it.',
    leaves: 'refused',
  },
  {
    click: 'in a freeze that began meanwhile',
    typed: staging,
    before: freeze,
    who: 'alice',
    action: 'confirm',
    says: 'Not run. The rules no longer allow it. Frozen: sale.',
    leaves: 'refused',
  },
  {
    click: 'forged to confirm what needs approval',
    typed: production,
    who: 'alice',
    action: 'confirm',
    says: 'The request for db-1 is waiting for approval. This click did nothing.',
    leaves: 'awaiting approval',
  },
  {
    click: 'forged to approve what is to be confirmed',
    typed: staging,
    who: 'carol',
    action: 'approve',
    says: 'The request for web-1 is proposed, not confirmed yet. This click did nothing.',
    leaves: 'proposed',
  },
  {
    click: 'on a request that never was',
    typed: staging,
    id: 'r-none',
    who: 'alice',
    action: 'confirm',
    says: 'Bellhop has no record of that request, perhaps because a backup was restored. It may have run. This click did nothing. Check the target before you run the command again.',
    leaves: 'proposed',
  },
  {
    click: 'with an id made to break things',
    typed: staging,
    id: `r-1' or '1'='1\0\u{D800}${'x'.repeat(5000)}`,
    who: 'alice',
    action: 'confirm',
    says: 'Bellhop has no record of that request, perhaps because a backup was restored. It may have run. This click did nothing. Check the target before you run the command again.',
    leaves: 'proposed',
  },
];

describe('a click that must do nothing', () => {
  it.each(rows)('$click: runs nothing, says why, is on record', (row) => expectIgnored(stage, row));

  it.each<ClickAction>(['confirm', 'cancel', 'approve', 'deny'])(
    'replayed after the end: %s names the state and runs nothing more',
    async (action) => {
      const request = await stage.propose('alice', staging);
      await stage.click('alice', request, 'confirm');
      await stage.becomes(request, 'succeeded');
      const error = await stage.refused('alice', request, action);
      expect(error.message).toBe('The request for web-1 has already succeeded. This click did nothing.');
      expect(stage.service.kicks).toEqual(['web-1']);
    },
  );

  it('in a freeze: the refused request keeps until when', async () => {
    const request = await stage.propose('alice', staging);
    freeze(stage);
    const error = await stage.refused('alice', request, 'confirm');
    expect(error).toMatchObject({ until: Date.UTC(2100, 0, 1) });
    expect((await stage.find(request)).decision).toEqual({
      ...request.decision,
      refusedUntil: Date.UTC(2100, 0, 1),
    });
  });

  it('while it runs: cannot cancel what was sent', async () => {
    const request = await stage.propose('alice', staging);
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    await stage.click('alice', request, 'confirm');
    const error = await stage.refused('alice', request, 'cancel');
    expect(error.message).toBe('The request for web-1 is already running. This click did nothing.');
    answer.resolve('moved');
    await stage.becomes(request, 'succeeded');
  });

  it('is answered even if it cannot be recorded', async () => {
    const silent = await openBoxes((store) => ({
      ...store,
      record: () => Promise.reject(new Error('the disk is full')),
    }));
    const request = await silent.propose('alice', staging);
    expect((await silent.refused('bob', request, 'confirm')).message).toContain(
      'You have no role that may run this',
    );
    expect(silent.logged).toEqual(['audit entry not recorded']);
    await silent.close();
  });
});
