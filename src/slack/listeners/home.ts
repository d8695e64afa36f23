import type { Caller } from '../../core/model/actor.ts';
import { briefUsage } from '../../core/grammar/help.ts';
import { deliveryKey } from '../receive/delivery.ts';
import { eventCallback } from '../receive/payloads.ts';
import { renderHome } from '../render/home.ts';
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

const mostShown = 10;

/** Publishes somebody's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(context: SlackContext, caller: Caller): Promise<void> {
  const { bellhop } = context;
  try {
    const [offered, open, mine] = await Promise.all([
      bellhop.offered(caller),
      bellhop.openItems(caller.actor),
      bellhop.requestItems({ requester: caller.actor, limit: mostShown }),
    ]);
    const view = renderHome({
      commands: offered.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine.filter(({ id }) => !open.some((waiting) => waiting.id === id)),
      notices: context.notices,
    });
    await context.api.publishHome(caller.actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: caller.actor.user }, 'the Home tab could not be shown');
  }
}
