import { deliveryKey } from '../receive/delivery.ts';
import { eventCallback } from '../receive/payloads.ts';
import { showHome } from './show-home.ts';
import type { SlackContext } from './context.ts';

/** Somebody opened the app's Home tab: what it is, what they may do, what waits. */
export async function handleHomeOpened(context: SlackContext, raw: unknown): Promise<void> {
  const body = eventCallback.parse(raw);
  const { user } = body.event;
  if (typeof user !== 'string') return;
  const taken = await context.inbox.accept({ kind: 'event', key: deliveryKey(['event', body.event_id]) });
  if (!taken.first) return;
  const team = body.team_id ?? context.ownTeam;
  try {
    await showHome(context, {
      actor: { team, user },
      // The Home tab is in no channel: only rules without channels hold there.
      place: { team, channel: user },
      correlationId: context.ids.correlation(),
    });
  } finally {
    // What the store did not answer in time is remembered until then.
    taken.done();
  }
}
