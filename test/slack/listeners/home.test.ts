import { expect, it } from 'vitest';

import type { Store } from '../../../src/core/model/ports.ts';
import { createInbox } from '../../../src/slack/receive/inbox.ts';
import { handleHomeOpened } from '../../../src/slack/listeners/home.ts';
import type { SlackContext } from '../../../src/slack/listeners/context.ts';
import { drivenClock, recordingLog } from '../receive/receiving-app.ts';

it('a Home tab that was opened while the store is away leaves nothing behind', async () => {
  const away = new Error('away');
  const store = { claimOnce: () => Promise.reject(away) } as unknown as Store;
  const log = recordingLog();
  const inbox = createInbox({ store, clock: drivenClock(), log });
  const keys: string[] = [];
  const context = {
    inbox: {
      ...inbox,
      take: (delivered: Parameters<typeof inbox.accept>[0]) => {
        keys.push(delivered.key);
        return inbox.accept(delivered);
      },
    },
    ownTeam: 'T0LOCAL',
    ids: { correlation: () => 'c-1' },
    log,
    bellhop: {
      offered: () => Promise.reject(away),
      openItems: () => Promise.resolve([]),
      requestItems: () => Promise.resolve([]),
    },
  } as unknown as SlackContext;
  const event = { type: 'app_home_opened', user: 'U0ALICE', tab: 'home' };
  await handleHomeOpened(context, { type: 'event_callback', team_id: 'T0LOCAL', event_id: 'Ev1', event });
  expect(keys.map((key) => inbox.recheckDuplicate(key))).toEqual([undefined]);
});
