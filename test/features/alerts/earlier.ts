import { expect } from 'vitest';

import { readAlert } from '../../../src/features/alerts/group/record.ts';
import type { Store } from '../../../src/store/store.ts';
import type { EarlierPart } from '../../store/earlier/make-store.ts';
import { received } from './sample-alert.ts';

const disk = { key: 'two', title: 'DiskFull' };

/** One alert that fires, and one that has ended. */
export const earlierAlerts: EarlierPart = {
  async fill({ store, clock }) {
    const at = clock.now();
    await store.foldOffer(received({ severity: 'critical', targets: ['web-2'] }, { at }));
    await store.foldOffer(received(disk, { at }));
    await store.foldOffer(received({ ...disk, status: 'resolved' }, { at: at + 1000 }));
  },
  async expectFilled(store) {
    expect(await alertOf(store, 'one')).toMatchObject({ title: 'InstanceDown', firing: 1 });
    expect(await alertOf(store, 'two')).toMatchObject({ title: 'DiskFull', firing: 0 });
  },
};

async function alertOf(store: Store, key: string) {
  const { messageId = '' } = (await store.findOfferOf('grafana', key)) ?? {};
  return readAlert((await store.findOffer(messageId))?.group?.content);
}
