import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Database } from '../../../../src/store/database/database.ts';
import { openDatabase } from '../../../../src/store/open-store.ts';
import { received } from '../sample-alert.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { createStore } from '../../../store/open-store.ts';
import { dueKind } from '../../../../src/model/records/due.ts';

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = temporaryFolder();
  database = await openDatabase({ dataDir: folder });
});
afterEach(() => database.close());

it('a storm counts as many groups as its titles do, also where more came once its message was claimed', async () => {
  const store = createStore(database);
  const foldGroup = (at: number) => store.foldOffer(received({ key: `group ${at}` }, { at: 1000 + at }));
  for (let at = 0; at < 8; at += 1) await foldGroup(at);
  const claimed = await store.claimDue(new Map([[dueKind('alert'), 100]]), 5000, 100);
  expect(await foldGroup(8)).toMatchObject({ kind: 'open', in: 'storm' });
  const messages = await Promise.all(claimed.map(({ key }) => store.findOffer(key)));
  expect(messages.flatMap((message) => message?.storm ?? [])).toEqual([
    {
      tier: 'other',
      firing: 4,
      total: 4,
      titles: [expect.objectContaining({ title: 'InstanceDown', firing: 4 })],
    },
  ]);
});
