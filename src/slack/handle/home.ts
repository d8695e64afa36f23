import type { Caller } from '../../model/actor.ts';
import { briefUsage } from '../../command/grammar/help.ts';
import type { EventPayload } from '../receive/payloads.ts';
import { renderHome } from '../render/report/home.ts';
import { callerOf, type SlackContext } from '../messages/context.ts';

/** Shows the Home tab to whoever opened it. It is in no channel: only rules without channels hold there. */
export async function handleHomeOpened(context: SlackContext, { sender }: EventPayload): Promise<void> {
  if (sender) await showHome(context, callerOf(context, sender));
}

const maxRecent = 10;

/** Publishes a person's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(context: SlackContext, caller: Caller): Promise<void> {
  const { bellhop } = context;
  try {
    const [offered, open, mine] = await Promise.all([
      bellhop.offered(caller),
      bellhop.openItems(caller.actor),
      bellhop.requestItems({ requester: caller.actor, limit: maxRecent }),
    ]);
    const view = renderHome({
      commands: offered.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine.filter(({ id }) => !open.some((waiting) => waiting.id === id)),
      notices: context.notices,
    });
    await context.api.publishHome(caller.actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: caller.actor.user }, 'Home tab not published');
  }
}
