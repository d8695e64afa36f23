import { expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { showHome } from '../../../src/slack/handle/home.ts';
import type { ReceivedContext } from '../../../src/slack/receive/dispatch.ts';
import { createInbox } from '../../../src/slack/receive/inbox.ts';
import * as samples from '../receive/payload-samples.ts';
import { receivingApp, signedHeaders } from '../receive/receiving-app.ts';
import { peopleDirectory } from '../../people.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { recordingLog } from '../../log.ts';

it('a Home tab that was opened while the store is away leaves nothing behind', async () => {
  const away = new Error('away');
  const renewed: string[] = [];
  const store = {
    claimOnce: () => Promise.reject(away),
    holdDeliveries: (keys: readonly string[]) => Promise.resolve(void renewed.push(...keys)),
    closeDeliveries: (held: readonly object[]) => Promise.resolve(void renewed.push(...held.map(String))),
  } as unknown as Store;
  const log = recordingLog();
  const inbox = createInbox({ store, clock: createDrivenClock(), clockIsRight: () => true, log });
  const bot = await receivingApp({ inbox });
  const slack = {
    ownTeam: 'T0LOCAL',
    ids: { correlation: () => 'c-1' },
    log,
    store: { list: () => Promise.reject(away), openReviews: () => Promise.reject(away) },
    directory: peopleDirectory,
    rulebook: () => ({ policy: { roles: {}, rules: [], freeze: [] } }),
    registry: { entries: [] },
    listings: [],
    homeLines: () => Promise.resolve([]),
  } as unknown as SlackContext;
  bot.app.event<'app_home_opened', ReceivedContext>('app_home_opened', ({ context }) =>
    showHome(slack, context.caller),
  );
  const sent = JSON.stringify(samples.event);
  const headers = { ...signedHeaders(sent, bot.clock.now()), 'content-type': 'application/json' };
  expect((await bot.post(sent, headers)).status).toBe(200);
  expect(await bot.drained()).toBe(true);
  await inbox.renew();
  expect(renewed).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toEqual([
    'delivery not recorded: the store cannot tell whether it is a duplicate',
    'Home tab not published',
  ]);
  await bot.receiver.close();
});
