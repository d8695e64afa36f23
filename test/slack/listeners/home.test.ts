import { expect, it } from 'vitest';

import type { Store } from '../../../src/core/model/ports.ts';
import { createIntake } from '../../../src/slack/receive/inbox.ts';
import { onHome } from '../../../src/slack/listeners/home.ts';
import type { Surface } from '../../../src/slack/listeners/context.ts';
import { drivenClock, recordingLog } from '../receive/receiving-app.ts';

it('a Home tab that was opened while the store is away leaves nothing behind', async () => {
  const away = new Error('away');
  const store = { firstDelivery: () => Promise.reject(away) } as unknown as Store;
  const log = recordingLog();
  const intake = createIntake({ store, clock: drivenClock(), log });
  const keys: string[] = [];
  const surface = {
    intake: {
      ...intake,
      take: (delivered: Parameters<typeof intake.take>[0]) => {
        keys.push(delivered.key);
        return intake.take(delivered);
      },
    },
    ownTeam: 'T0LOCAL',
    ids: { correlation: () => 'c-1' },
    log,
    executor: {
      offered: () => Promise.reject(away),
      openItems: () => Promise.resolve([]),
      requestItems: () => Promise.resolve([]),
    },
  } as unknown as Surface;
  const event = { type: 'app_home_opened', user: 'U0ALICE', tab: 'home' };
  await onHome(surface, { type: 'event_callback', team_id: 'T0LOCAL', event_id: 'Ev1', event });
  expect(keys.map((key) => intake.askAgain(key))).toEqual([undefined]);
});
